// The steps that most new bots need, until all are done or the member dismisses them. The server knows which
// steps are done; the account remembers the bots for which it has dismissed them.
import type { ChangeNote, FirstStep, Permission } from '@botstead/contract'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { clientFor } from '../../api/client.ts'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { IconCircle, IconCircleCheck } from '../../icons/icons.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { useRemembered } from '../../shell/remembered.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.firstSteps
/** A bot is new for these days. Those of older ones would be noise. */
const newDays = 90
const dayMs = 86_400_000
const refreshMs = 2_000

const bot = '/w/$workspaceId/bots/$botId'
const links: Record<FirstStep['name'], { to: string; permission: Permission }> = {
  talk: { to: bot, permission: 'data.write' },
  document: { to: `${bot}/knowledge`, permission: 'files.write' },
  greeting: { to: `${bot}/chat`, permission: 'bots.update' },
  website: { to: `${bot}/chat`, permission: 'bots.update' },
  invite: { to: '/w/$workspaceId/members', permission: 'members.write' },
  channel: { to: `${bot}/integrations`, permission: 'bots.update' },
  handoff: { to: `${bot}/conversations`, permission: 'data.write' },
}

/** The topic of the notes after which a step may be done; `bots` refreshes all. */
const topics: Partial<Record<ChangeNote['topic'], FirstStep['name']>> = {
  messages: 'talk',
  files: 'document',
  members: 'invite',
  handoffs: 'handoff',
}

/**
 * Returns the steps that the role may take. Undefined while they load; empty if all are done, if the bot is
 * not new, and after they were dismissed. The browser remembers their end, which spares a request.
 */
export function useFirstSteps({
  createdAt = '',
}: {
  createdAt?: string
}): FirstStep[] | undefined {
  const { botId, client } = useBot()
  const may = useMay()
  const account = useQuery(sessionQuery).data?.account.id
  const [isOver, setOver] = useRemembered(`first-steps-over.${account}.${botId}`)
  const mayAny = Object.values(links).some(({ permission }) => may(permission))
  const isNew = Date.now() - Date.parse(createdAt) < newDays * dayMs
  const isOffered = may('bots.read') && mayAny && isNew && !isOver
  const { data, isPending } = useQuery({
    queryKey: toQueryKey(botId),
    queryFn: ({ signal }) =>
      client.platform.getFirstSteps({ params: { botId } }, { signal }),
    enabled: isOffered,
  })
  const steps = data?.steps.filter(({ name }) => may(links[name].permission)) ?? []
  const isLeft = data?.isDismissed === false && steps.some(({ isDone }) => !isDone)
  useEffect(() => {
    if (data && !isLeft) setOver(true)
  }, [data, isLeft, setOver])
  useRefresh(botId, isLeft ? steps : [])
  if (isOffered && isPending) return undefined
  return isOffered && isLeft ? steps : []
}

const toQueryKey = (botId: string) => ['bots', botId, 'firstSteps']

/** Reads the steps again when one that is not done may be done now. */
function useRefresh(botId: string, steps: FirstStep[]) {
  const queries = useQueryClient()
  const refresh = useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: toQueryKey(botId) }),
    refreshMs,
  )
  const open = steps.flatMap(({ name, isDone }) => (isDone ? [] : [name])).join()
  const receive = useCallback(
    ({ topic, botId: changed }: ChangeNote) => {
      const step = topics[topic as keyof typeof topics]
      if (step && open.includes(step) && (!changed || changed === botId)) refresh()
    },
    [open, botId, refresh],
  )
  useNotes(receive)
}

export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const { botId } = useBot()
  const queries = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () =>
      clientFor().admin.setAccountPreference({
        params: { key: `firstSteps.${botId}` },
        body: { value: 'dismissed' },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: toQueryKey(botId) }),
    onError: notifyFailed,
  })
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section
      title={t.title}
      link={
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {t.count(done, steps.length)}
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => dismiss.mutate()}
            loading={dismiss.isPending}
          >
            {t.dismiss}
          </Button>
        </Group>
      }
    >
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </Stack>
    </Section>
  )
}

function Step({ name, isDone }: FirstStep) {
  const { workspaceId, botId } = useBot()
  const { title, hint } = t.steps[name]
  const Mark = isDone ? IconCircleCheck : IconCircle
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Mark
        size={20}
        color={isDone ? 'var(--good)' : 'var(--mantine-color-dimmed)'}
        aria-hidden="true"
        style={{ flexShrink: 0, marginTop: 2 }}
      />
      <div>
        {isDone && <span className="unseen">{t.done} </span>}
        <Anchor
          size="sm"
          fw={600}
          renderRoot={(props) => (
            <Link
              {...props}
              to={links[name].to as '/'}
              params={{ workspaceId, botId } as never}
              search={name === 'talk' ? { emulator: 'open' } : {}}
            />
          )}
        >
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {hint}
          {name === 'greeting' && (
            <>
              {' '}
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link {...props} to={`${bot}/flows`} params={{ workspaceId, botId }} />
                )}
              >
                {t.changeFlows}
              </Anchor>
            </>
          )}
        </Text>
      </div>
    </Group>
  )
}
