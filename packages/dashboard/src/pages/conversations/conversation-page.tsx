// One conversation: its transcript, and facts that operators may change.
import type { Conversation, Message } from '@botstead/contract'
import { Box, Button, Drawer, Group, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { type Filters, useFilter } from '../../api/filters.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { TakeOver } from '../../features/handoffs/take-over.tsx'
import { ActionError } from '../../parts/action-error.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded, Loading, wasDeleted } from '../../parts/states.tsx'
import { nameOfUser } from '../../parts/texts/user-name.ts'
import { texts } from '../../texts/texts.ts'
import { ConversationInfo } from './conversation-info.tsx'
import { LaterSaveConversation } from './later-save-conversation.tsx'
import { Transcript } from './transcript.tsx'
import { usePeople } from './use-people.ts'

const t = texts.conversations
const MessageDetails = lazily(
  async () => (await import('./message-details.tsx')).MessageDetails,
  <Loading />,
)

export function ConversationPage() {
  const { conversationId = '' } = useParams({ strict: false })
  const { botId, client } = useBot()
  const { message: around }: Filters = useSearch({ strict: false })
  const [details, setDetails] = useFilter('details')
  const [isInfoOpen, info] = useDisclosure(false)
  const [seen, setSeen] = useState<Message>()
  const mayExport = useMay()('data.read')
  const query = useQuery({
    queryKey: ['conversations', botId, conversationId],
    queryFn: ({ signal }) =>
      client.runtime.getConversation({ params: { id: conversationId } }, { signal }),
  })
  useMessageCount(conversationId)
  const title = useTitle(conversationId, query.data?.conversation)
  // Its last state is not shown: it may have been erased.
  if (wasDeleted(query))
    return (
      <Page title={t.info}>
        <div role="alert">
          <Empty title={texts.common.errors.deleted} />
        </div>
      </Page>
    )
  const actions = (
    <>
      <Button hiddenFrom="md" variant="default" onClick={info.open}>
        {t.about}
      </Button>
      <TakeOver conversationId={conversationId} />
      {mayExport && <ExportMenu conversationId={conversationId} />}
    </>
  )
  return (
    <Page title={title} actions={actions} fills>
      <Loaded query={query}>
        {({ conversation }) => (
          <Group align="stretch" gap="md" wrap="nowrap" style={{ flex: 1, minHeight: 0 }}>
            <Box display="flex" flex={1} miw={0} style={{ flexDirection: 'column' }}>
              <Transcript
                key={`${conversationId} ${around}`}
                conversationId={conversationId}
                around={around}
                open={({ message }) => setDetails(message.id)}
                onVisible={setSeen}
              />
            </Box>
            <Box component="aside" visibleFrom="md" w={320} style={{ overflow: 'auto' }}>
              <ConversationInfo conversation={conversation} seen={seen} />
            </Box>
            <Drawer
              opened={isInfoOpen}
              onClose={info.close}
              title={t.about}
              position="right"
            >
              <ConversationInfo conversation={conversation} seen={seen} />
            </Drawer>
          </Group>
        )}
      </Loaded>
      <Drawer
        opened={details !== undefined}
        onClose={() => setDetails('')}
        title={t.details}
        position="right"
        size="lg"
      >
        {details && <MessageDetails id={details} />}
      </Drawer>
    </Page>
  )
}

/** A message changes the number of messages in the facts of its conversation. */
function useMessageCount(conversationId: string) {
  const { botId } = useBot()
  const queries = useQueryClient()
  useNotes(
    useCallback(
      (note) => {
        if (note.topic === 'messages' && note.conversationId === conversationId)
          void queries.invalidateQueries({
            queryKey: ['conversations', botId, conversationId],
            exact: true,
          })
      },
      [queries, botId, conversationId],
    ),
  )
}

/** Names the people; without any, the integration. */
function useTitle(id: string, conversation: Conversation | undefined): string {
  const names = usePeople(id).people.map(nameOfUser)
  if (names.length > 0) return t.named(names.slice(0, maxNames).join(texts.common.comma))
  return conversation ? t.through(conversation.integration) : t.info
}
const maxNames = 3

function ExportMenu({ conversationId }: { conversationId: string }) {
  const { client } = useBot()
  const mayEdit = useMay()('bots.update')
  const [isSaving, saving] = useDisclosure(false)
  const download = useMutation({
    mutationFn: async (format: 'json' | 'text') => {
      const params = { id: conversationId }
      const file = await client.platform.exportConversation({ params, query: { format } })
      save(await file.blob(), `${conversationId}.${format === 'json' ? 'json' : 'txt'}`)
    },
  })
  return (
    <>
      <ActionError error={download.error} />
      <Menu>
        <Menu.Target>
          <Button variant="default" loading={download.isPending}>
            {t.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download.mutate('json')}>{t.exportJson}</Menu.Item>
          <Menu.Item onClick={() => download.mutate('text')}>{t.exportText}</Menu.Item>
          {mayEdit && <Menu.Item onClick={saving.open}>{t.saveTest}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isSaving && (
        <LaterSaveConversation conversationId={conversationId} onClose={saving.close} />
      )}
    </>
  )
}

function save(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
