// An open handoff: the list beside it, its transcript, the answer, and facts about the user.
import type { HandoffDetails, TranscriptMessage } from '@botstead/contract'
import { Box, Button, Drawer, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { IconArrowLeft } from '../../icons/icons.tsx'
import { Transcript } from '../../pages/conversations/transcript.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded, Loading, wasDeleted } from '../../parts/states.tsx'
import { LongText } from '../../parts/texts/long-text.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { useShownHandoff } from '../../shell/notices/shown-handoff.ts'
import { texts } from '../../texts/texts.ts'
import { BelowMessage } from './below-message.tsx'
import { Composer } from './composer.tsx'
import { HandoffActions } from './handoff-actions.tsx'
import { HandoffInfo } from './handoff-info.tsx'
import { HandoffState } from './handoff-state.tsx'
import classes from './inbox.module.css'
import { useHandoff, useOwnId } from './use-handoff.ts'
import { useReading } from './use-reading.ts'
import { Writing } from './writing.tsx'

const t = texts.inbox
const MessageDetails = lazily(
  async () =>
    (await import('../../pages/conversations/message-details.tsx')).MessageDetails,
  <Loading />,
)

export function OpenHandoff({ id, list }: { id: string; list: ReactNode }) {
  const query = useHandoff(id)
  useShownHandoff(id)
  const [isInfoOpen, info] = useDisclosure(false)
  // Its last state is not shown: the conversation may have been erased.
  const isDeleted = wasDeleted(query)
  const handoff = isDeleted ? undefined : query.data?.handoff
  const actions = (
    <>
      <BackLink />
      <Button className={classes.narrowOnly} variant="default" onClick={info.open}>
        {t.about}
      </Button>
      {handoff && <HandoffActions handoff={handoff} />}
    </>
  )
  return (
    <Page title={toTitle(handoff)} actions={actions} fills>
      <div className={classes.columns}>
        <div className={classes.list}>{list}</div>
        {isDeleted ? (
          <div role="alert">
            <Empty title={t.deleted} hint={t.deletedHint} />
          </div>
        ) : (
          <Loaded query={query}>
            {({ handoff }) => (
              <>
                <Talk handoff={handoff} />
                <Box component="aside" className={classes.info} aria-label={t.about}>
                  <HandoffInfo handoff={handoff} />
                </Box>
                <Drawer
                  opened={isInfoOpen}
                  onClose={info.close}
                  title={t.about}
                  position="right"
                >
                  <HandoffInfo handoff={handoff} />
                </Drawer>
              </>
            )}
          </Loaded>
        )}
      </div>
    </Page>
  )
}

function toTitle(handoff: HandoffDetails | undefined): string {
  if (!handoff) return t.handoff
  return nameOfUser(handoff.user)
}

/** Where the list is not beside the handoff. */
function BackLink() {
  const { workspaceId, botId } = useBot()
  return (
    <Link
      className={classes.back}
      aria-label={t.back}
      to="/w/$workspaceId/bots/$botId/inbox"
      params={{ workspaceId, botId }}
      search={(search) => search}
    >
      <IconArrowLeft size={20} aria-hidden="true" />
    </Link>
  )
}

function Talk({ handoff }: { handoff: HandoffDetails }) {
  const [details, setDetails] = useState<TranscriptMessage | null>(null)
  const { conversationId, reason, summary } = handoff
  const ownId = useOwnId()
  const isMine = handoff.state === 'assigned' && handoff.assignedTo === ownId
  const onVisible = useReading(handoff, isMine)
  return (
    <div className={classes.talk}>
      {(reason || summary) && (
        <Box
          className="panel"
          px="md"
          py="xs"
          style={{ maxHeight: '20vh', overflow: 'auto' }}
        >
          {reason && (
            <Text size="sm" fw={600} className="foreign">
              {reason}
            </Text>
          )}
          {summary && <LongText text={summary} />}
        </Box>
      )}
      <Transcript
        conversationId={conversationId}
        around={undefined}
        open={setDetails}
        below={(row, before) => (
          <BelowMessage
            row={row}
            before={before}
            handoff={handoff}
            ownId={isMine ? ownId : ''}
          />
        )}
        onVisible={onVisible}
      />
      <Writing conversationId={conversationId} />
      <HandoffState handoff={handoff} />
      <Composer handoff={handoff} />
      <Drawer
        opened={details !== null}
        onClose={() => setDetails(null)}
        title={texts.conversations.details}
        position="right"
        size="lg"
      >
        {details && <MessageDetails id={details.message.id} />}
      </Drawer>
    </div>
  )
}
