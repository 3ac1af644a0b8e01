// The copilot beside the flows: a request in words, its steps and costs, and the result before it
// is applied.
import {
  Alert,
  Anchor,
  Button,
  CloseButton,
  Group,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { notifyDone } from '../../../parts/notify.ts'
import { Failed, Loaded } from '../../../parts/states.tsx'
import { toDollars } from '../../../parts/texts/amounts.ts'
import { texts } from '../../../texts/texts.ts'
import { ChangeList } from '../../versions/change-list.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import { changesInWords } from '../publish/changes-in-words.ts'
import styles from '../studio.module.css'
import { type CopilotResult, readResult, toEdits } from './apply-result.ts'

const t = texts.copilot

interface CopilotPanelProps {
  flow: string
  onClose: () => void
}

export function CopilotPanel({ flow, onClose }: CopilotPanelProps) {
  const runs = useRuns()
  return (
    <aside className={styles.panel} aria-label={t.title}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5">
          {t.title}
        </Title>
        <CloseButton onClick={onClose} aria-label={t.close} />
      </Group>
      <Loaded query={runs}>
        {(found) =>
          found.allowance.hasModel ? <Work found={found} flow={flow} /> : <NoModel />
        }
      </Loaded>
    </aside>
  )
}

function useRuns() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['copilot', botId, 'list'],
    queryFn: ({ signal }) =>
      client.platform.listCopilotRuns(
        { params: { botId }, query: { pageSize: 5 } },
        { signal },
      ),
  })
}

type Runs = NonNullable<ReturnType<typeof useRuns>['data']>
type Run = Runs['runs'][number]

function NoModel() {
  const { workspaceId } = useBot()
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" fw={600}>
        {t.noModel}
      </Text>
      <Text size="sm">{t.noModelHint}</Text>
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/w/$workspaceId/server-settings"
            params={{ workspaceId }}
            {...props}
          />
        )}
      >
        {t.toSettings}
      </Anchor>
    </Stack>
  )
}

function Work({ found: { runs, allowance }, flow }: { found: Runs; flow: string }) {
  const [latest, ...earlier] = runs
  const { usedToday, perDay } = allowance
  return (
    <Stack gap="sm" mt="sm">
      <Ask flow={flow} isBusy={latest?.state === 'running'} />
      <Text size="xs" c="dimmed">
        {t.today(
          toDollars(usedToday.dollars),
          toDollars(perDay.dollars),
          usedToday.tokens,
          perDay.tokens,
        )}
      </Text>
      {latest && <RunView key={latest.number} run={latest} />}
      {earlier.length > 0 && (
        <details>
          <summary>
            <Text span size="sm">
              {t.earlier}
            </Text>
          </summary>
          <Stack gap="sm" mt="xs">
            {earlier.map((run) => (
              <RunView key={run.number} run={run} />
            ))}
          </Stack>
        </details>
      )}
    </Stack>
  )
}

function Ask({ flow, isBusy }: { flow: string; isBusy: boolean }) {
  const { botId, client } = useBot()
  const { store } = useStudio()
  const queries = useQueryClient()
  const [request, setRequest] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // It begins with the draft that the server has.
      await store.flush()
      await client.platform.startCopilotRun({
        params: { botId },
        body: { request: request.trim() },
      })
      await queries.invalidateQueries({ queryKey: ['copilot', botId] })
    },
    onSuccess: () => setRequest(''),
  })
  const isReady = request.trim() !== '' && !isBusy
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) mutate()
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={t.request}
          description={t.requestHint}
          value={request}
          maxLength={10_000}
          autosize
          minRows={3}
          maxRows={10}
          onChange={(event) => setRequest(event.currentTarget.value)}
        />
        <Group gap={6} role="group" aria-label={t.suggestions}>
          <Suggestion
            label={t.explainFlow}
            onClick={() => setRequest(t.explainRequest(flow))}
          />
          <Suggestion
            label={t.writeTests}
            onClick={() => setRequest(t.testsRequest(flow))}
          />
          <Suggestion label={t.whyFailed} onClick={() => setRequest(t.failedRequest)} />
        </Group>
        {error && <Failed error={error} retry={() => mutate()} />}
        <Button type="submit" size="compact-sm" loading={isPending} disabled={!isReady}>
          {t.send}
        </Button>
      </Stack>
    </form>
  )
}

const Suggestion = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button size="compact-xs" variant="default" onClick={onClick}>
    {label}
  </Button>
)

function RunView({ run }: { run: Run }) {
  const { state, request, answer, failure, cost, tokens, hasChange } = run
  return (
    <section
      className="panel"
      aria-label={request.slice(0, 80)}
      data-copilot-run={run.number}
    >
      <Stack gap="xs" p="xs">
        <Text size="sm" fw={600} className="foreign" style={{ overflowWrap: 'anywhere' }}>
          {request}
        </Text>
        <Group justify="space-between">
          <Text size="xs" c={state === 'failed' ? 'var(--bad)' : 'dimmed'} role="status">
            {t.states[state]} · {t.cost(toDollars(cost), tokens)}
          </Text>
          {state === 'running' && <Stop number={run.number} />}
        </Group>
        <Steps run={run} />
        {failure !== null && (
          <Alert color="red" className="foreign">
            {failure}
          </Alert>
        )}
        {answer !== null && (
          <Text
            size="sm"
            className="foreign"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {answer}
          </Text>
        )}
        {state === 'done' && hasChange && <Result run={run} />}
      </Stack>
    </section>
  )
}

function Stop({ number }: { number: number }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await client.platform.stopCopilotRun({
        params: { botId, number: String(number) },
        body: {},
      })
      await queries.invalidateQueries({ queryKey: ['copilot', botId] })
    },
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
    >
      {t.stop}
    </Button>
  )
}

function Steps({ run: { steps, state } }: { run: Run }) {
  if (steps.length === 0) return null
  return (
    <details open={state === 'running'}>
      <summary>
        <Text span size="xs">
          {t.steps}
        </Text>
      </summary>
      <ol style={{ margin: 0, paddingInlineStart: 20 }}>
        {steps.map(({ at, tool, outcome, failed }, index) => (
          <Text
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added
            key={`${at} ${index}`}
            component="li"
            size="xs"
            className="foreign"
            {...(failed && { c: 'var(--bad)' })}
          >
            {(Object.hasOwn(t.tools, tool) && t.tools[tool]) || tool}
            {outcome && `: ${outcome}`}
          </Text>
        ))}
      </ol>
    </details>
  )
}

function Result({ run }: { run: Run }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['copilot', botId, 'result', run.number],
    queryFn: ({ signal }) =>
      client.platform.getCopilotRun(
        { params: { botId, number: String(run.number) } },
        { signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={query}>
      {({ text, ...result }) =>
        text === null ? null : <Difference run={run} result={{ ...result, text }} />
      }
    </Loaded>
  )
}

function Difference({ run, result }: { run: Run; result: CopilotResult }) {
  const { store, edit, isEditor } = useStudio()
  const { before, after } = readResult(result)
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await store.flush()
      const edits = toEdits(result, store.getSnapshot().draft)
      edit(edits)
      notifyDone(edits.length > 0 ? t.applied : t.nothingToApply)
    },
  })
  return (
    <Stack gap="xs">
      {run.passedTests !== null && <Text size="xs">{t.passed(run.passedTests)}</Text>}
      <ChangeList title={t.changes} changes={changesInWords(before, after)} />
      {isEditor && (
        <Button size="compact-sm" loading={isPending} onClick={() => mutate()}>
          {t.apply}
        </Button>
      )}
    </Stack>
  )
}
