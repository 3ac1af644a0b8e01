// The state of an installed channel: light, times of messages, last problem with its remedy.
import type { ChannelCheck, ChannelGuide, ChannelState } from '@botstead/contract'
import { Alert, Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { ChannelLight } from './channel-light.tsx'
import classes from './channels.module.css'
import { toLight } from './queries.ts'
import { SharingWarning } from './sharing-warning.tsx'

const t = texts.channels

interface ActionsProps {
  guide: ChannelGuide
  state: ChannelState
}

interface ChannelStatusProps extends ActionsProps {
  /** The person wants to correct the values. */
  onCorrect: () => void
}

export function ChannelStatus({ guide, state, onCorrect }: ChannelStatusProps) {
  const isEditor = useMay()('bots.update')
  const { workspaceId, botId } = useBot()
  const { alias, account, lastReceivedAt, lastSentAt, receivesBy, since } = state
  return (
    <Paper component="section" className="panel" p="md" aria-label={t.state}>
      <Stack gap="sm">
        <Group justify="space-between">
          <ChannelLight state={state} />
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/w/$workspaceId/bots/$botId/integrations/$alias"
                params={{ workspaceId, botId, alias }}
              />
            )}
          >
            {t.settings}
          </Anchor>
        </Group>
        <Trouble state={state} />
        <SharingWarning warning={state.warning} />
        {isEditor && state.enabled && (
          <Button
            variant={toLight(state) === 'red' ? 'filled' : 'default'}
            size="compact-sm"
            onClick={onCorrect}
            style={{ alignSelf: 'start' }}
          >
            {t.correct}
          </Button>
        )}
        <dl className={classes.fact}>
          {account.name && <Fact title={t.account}>{account.name}</Fact>}
          <Fact title={t.since}>
            <Moment at={since} />
          </Fact>
          <Fact title={t.receives}>{t.by[receivesBy]}</Fact>
          <Fact title={t.lastReceived}>
            {lastReceivedAt ? <Moment at={lastReceivedAt} /> : texts.common.never}
          </Fact>
          <Fact title={t.lastSent}>
            {lastSentAt ? <Moment at={lastSentAt} /> : texts.common.never}
          </Fact>
        </dl>
        {isEditor && state.enabled && <Actions guide={guide} state={state} />}
      </Stack>
    </Paper>
  )
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <Text component="dt" size="sm">
      {title}
    </Text>
    <Text component="dd" size="sm" className="foreign">
      {children}
    </Text>
  </>
)

function toColor(state: ChannelState) {
  if (state.lastError?.isOver) return 'gray'
  return toLight(state) === 'red' ? 'red' : 'yellow'
}

/** The reason of the state has the last error mostly. */
function Trouble({ state }: { state: ChannelState }) {
  const { enabled, status, statusReason, lastError } = state
  const hasFailed = enabled && status.endsWith('failed')
  return (
    <>
      {hasFailed && (
        <Alert role="alert" color="red" className="foreign">
          <CodedText text={statusReason ?? texts.integrations.noReason} />
        </Alert>
      )}
      {lastError && !(hasFailed && lastError.message === statusReason) && (
        <Alert color={toColor(state)}>
          <Text size="sm" fw={600}>
            {t.problem[lastError.of]}
          </Text>
          <Text size="sm" className="foreign">
            <CodedText text={lastError.message} />
          </Text>
          <Moment at={lastError.at} c="inherit" />
          {lastError.isOver && <Text size="sm">{t.isOver}</Text>}
        </Alert>
      )}
    </>
  )
}

/** The provider may no longer know the credentials, or call another address: registering sets it again. */
function Actions({ guide, state: { alias, status } }: ActionsProps) {
  const { integrationId, isProvedByMessages } = guide
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: ['bots', botId] })
  const verify = useMutation({
    mutationFn: () =>
      client.platform.verifyChannel({ params: { botId, alias }, body: {} }),
    onSettled,
  })
  const register = useMutation({
    mutationFn: () =>
      client.admin.updateBot({
        params: { id: botId },
        body: { integrations: { [alias]: { integrationId } } },
      }),
    onSettled,
  })
  const answer = ({ problem }: ChannelCheck) => {
    if (problem !== null) return t.stillFails
    return isProvedByMessages ? t.unasked : t.works
  }
  return (
    <Group gap="sm">
      <Button
        variant="default"
        size="compact-sm"
        loading={verify.isPending}
        onClick={() => {
          register.reset()
          verify.mutate()
        }}
      >
        {t.verify}
      </Button>
      {status === 'registration_failed' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={register.isPending}
          onClick={() => {
            verify.reset()
            register.mutate()
          }}
        >
          {texts.integrations.registerAgain}
        </Button>
      )}
      <Text size="sm" role="status">
        {verify.data && answer(verify.data)}
      </Text>
      <ActionError error={verify.error ?? register.error} />
    </Group>
  )
}
