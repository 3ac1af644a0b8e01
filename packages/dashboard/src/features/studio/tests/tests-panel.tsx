// The tests of the document beside the flows: runs them against the draft, and shows where each one failed.
import {
  Anchor,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useBot } from '../../../api/scope.ts'
import { Folded } from '../../../parts/folded.tsx'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { toSegments } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { describePlace } from '../flows/places.ts'
import { explainRejection } from '../publish/rejection.ts'
import type { FoundPlace } from '../search-box.tsx'
import styles from '../studio.module.css'
import { type Coverage, listTests } from './coverage.ts'
import { useTests } from './test-results.tsx'
import { TestView } from './test-view.tsx'

const t = texts.studio.tests

interface TestsPanelProps {
  open: (place: FoundPlace) => void
  onClose: () => void
}

export function TestsPanel({ open, onClose }: TestsPanelProps) {
  const { value } = useStudio()
  const { results, coverage } = useTests()
  const { mutate, isPending, variables, error } = useRun()
  const panel = useRef<HTMLElement>(null)
  const follow = (place: FoundPlace) => {
    // On a narrow page, the panel covers the flow.
    if (panel.current && getComputedStyle(panel.current).position === 'absolute')
      onClose()
    open(place)
  }
  const tests = listTests(value)
  const found = tests.flatMap(([, test]) => results.get(test)?.result ?? [])
  const failed = found.filter(({ failure }) => failure).length
  return (
    <aside ref={panel} className={styles.panel} aria-label={t.title}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5">
            {t.title}
          </Title>
          <CloseButton onClick={onClose} aria-label={t.close} />
        </Group>
        {tests.length === 0 ? (
          <Text size="sm">{t.none}</Text>
        ) : (
          <Group gap="sm">
            <Button
              size="compact-sm"
              loading={isPending && variables === null}
              disabled={isPending}
              onClick={() => mutate(null)}
            >
              {t.runAll}
            </Button>
            <Text size="sm" role="status" {...(failed > 0 && { c: 'var(--bad)' })}>
              {isPending
                ? t.running
                : found.length > 0 && t.passed(found.length - failed, found.length)}
            </Text>
          </Group>
        )}
        {error && <Failed error={error} />}
        {coverage ? (
          <Untested coverage={coverage} open={follow} />
        ) : (
          found.some(({ unlisted }) => unlisted) && (
            <Text size="sm">{t.tooManySteps}</Text>
          )
        )}
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {tests.map(([name, test], index) => (
            <TestView
              // biome-ignore lint/suspicious/noArrayIndexKey: a renamed test keeps its place, and the focus
              key={index}
              name={name}
              test={test}
              isRunning={isPending && (variables === null || variables === name)}
              run={isPending ? undefined : () => mutate(name)}
              open={follow}
            />
          ))}
        </Stack>
      </Stack>
    </aside>
  )
}

/** Runs the test with the name, or all for null, against the document that the page shows. */
function useRun() {
  const { botId, client } = useBot()
  const { store } = useStudio()
  const { note } = useTests()
  return useMutation({
    mutationFn: async (name: string | null) => {
      const { value } = store.getSnapshot()
      const body = {
        text: JSON.stringify(value),
        ...(name !== null && { tests: [name] }),
      }
      const { results } = await client.platform
        .testBotDraft({ params: { botId }, body })
        .catch((error) => explainRejection(error, value, t.rejected))
      note(value, results)
    },
  })
}

const maxListed = 50

interface UntestedProps {
  coverage: Coverage
  open: (place: FoundPlace) => void
}

function Untested({ coverage: { steps, untested }, open }: UntestedProps) {
  const { value } = useStudio()
  const { marks, setMarks } = useTests()
  const listed = [...untested].slice(0, maxListed)
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {t.untested(untested.size, steps)}
      </Text>
      {untested.size > 0 && (
        <>
          <Checkbox
            size="xs"
            label={t.mark}
            checked={marks}
            onChange={(event) => setMarks(event.currentTarget.checked)}
          />
          <Folded title={t.untestedSteps}>
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {listed.map((pointer) => (
                <li key={pointer} className="foreign">
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    onClick={() => open(toPlace(pointer))}
                  >
                    {describePlace(pointer, value)}
                  </Anchor>
                </li>
              ))}
            </ul>
            {untested.size > maxListed && (
              <Text size="sm">{t.moreUntested(untested.size - maxListed)}</Text>
            )}
          </Folded>
        </>
      )}
    </Stack>
  )
}

function toPlace(pointer: string): FoundPlace {
  const [, flow = '', , node = ''] = toSegments(pointer)
  return { flow, node }
}
