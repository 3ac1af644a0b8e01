// One test: its last result with the line that failed, its conversation, and its actions.
import type { DraftTestResult } from '@botstead/contract'
import { preview } from '@botstead/flows/seeing'
import {
  ActionIcon,
  Anchor,
  Button,
  Code,
  Group,
  Menu,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import { IconDots } from '../../../icons/icons.tsx'
import { Folded } from '../../../parts/folded.tsx'
import { LongText } from '../../../parts/texts/long-text.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { type Json, toList, toObject } from '../flows/bot-document.ts'
import { cardPointer, describePlace, nodePointer } from '../flows/places.ts'
import type { FoundPlace } from '../search-box.tsx'
import { isSameBot } from './coverage.ts'
import { deleteTest, renameTest } from './test-edits.ts'
import { TestNameDialog } from './test-name-dialog.tsx'
import { useTests } from './test-results.tsx'

const t = texts.studio.tests

interface TestViewProps {
  name: string
  test: Json
  isRunning: boolean
  /** Undefined while another run goes on. */
  run: (() => void) | undefined
  open: (place: FoundPlace) => void
}

export function TestView({ name, test, isRunning, run, open }: TestViewProps) {
  const { value } = useStudio()
  const outcome = useTests().results.get(test)
  const failure = outcome?.result.failure
  const isOld = outcome !== undefined && !isSameBot(outcome.document, value)
  const state = isRunning ? 'running' : toState(outcome?.result)
  return (
    <li className="panel" aria-label={name}>
      <Stack gap={6} p="xs">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Title order={3} size="h6" flex={1} miw={0} className="foreign wrapped">
            {name}
          </Title>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t.runOne(name)}
            loading={isRunning}
            disabled={run === undefined}
            onClick={run}
          >
            {t.run}
          </Button>
          <TestMenu name={name} />
        </Group>
        <Text size="xs" fw={600} c={stateColours[state]}>
          {t.states[state]}
          {isOld && ` ${t.beforeChange}`}
        </Text>
        {failure && <Failure failure={failure} test={test} open={open} />}
        <Folded title={t.conversation}>
          <Lines test={test} failed={failure?.step} />
        </Folded>
      </Stack>
    </li>
  )
}

function toState(result: DraftTestResult | undefined) {
  if (!result) return 'unknown'
  return result.failure ? 'failed' : 'passed'
}

const stateColours = {
  running: 'dimmed',
  unknown: 'dimmed',
  passed: 'var(--good)',
  failed: 'var(--bad)',
}

function TestMenu({ name }: { name: string }) {
  const { edit } = useStudio()
  const [isRenaming, setRenaming] = useState(false)
  const rename = (next: string) => {
    edit(renameTest(name, next))
    setRenaming(false)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t.actions(name)}
          >
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>{t.rename}</Menu.Item>
          <Menu.Item c="var(--bad)" onClick={() => edit(deleteTest(name))}>
            {texts.common.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && (
        <TestNameDialog
          title={t.renameTitle}
          name={name}
          own={name}
          onSave={rename}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  )
}

interface FailureProps {
  failure: NonNullable<DraftTestResult['failure']>
  test: Json
  open: (place: FoundPlace) => void
}

/** The first difference, and the way to the step from which it came. */
function Failure({ failure, test, open }: FailureProps) {
  const { value } = useStudio()
  const { step, message, difference, place, trace } = failure
  const line = toList(test.steps)[step - 1]
  return (
    <>
      <Text size="sm" fw={600} className="foreign wrapped">
        {line === undefined
          ? t.wholeTest
          : texts.common.labelled(t.line(step), describeLine(line))}
      </Text>
      {difference ? (
        <>
          <Side title={t.expected} text={difference.expected} />
          <Side title={t.actual} text={difference.actual} />
        </>
      ) : (
        <LongText text={message} />
      )}
      {place && (
        <Text size="sm" component="div">
          {t.at}{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => open(place)}>
            <span className="foreign">{describePlace(toPointerAt(place), value)}</span>
          </Anchor>
        </Text>
      )}
      {trace && (
        <Folded title={t.lastTurn}>
          <Code block className="foreign scrolled" mah={320} tabIndex={0}>
            {trace}
          </Code>
        </Folded>
      )}
    </>
  )
}

const toPointerAt = ({
  flow,
  node,
  card,
}: NonNullable<FailureProps['failure']['place']>) =>
  card === undefined ? nodePointer(flow, node) : cardPointer(flow, node, card)

const Side = ({ title, text }: { title: string; text: string | null }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    {text === null ? <Text size="sm">{t.noMessage}</Text> : <LongText text={text} />}
  </div>
)

function Lines({ test, failed }: { test: Json; failed: number | undefined }) {
  return (
    <ol style={{ margin: 0, paddingInlineStart: 24 }}>
      {toList(test.steps).map((step, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          key={index}
          component="li"
          size="sm"
          className="foreign wrapped"
          style={{ whiteSpace: 'pre-line' }}
          {...(index + 1 === failed && { c: 'var(--bad)', fw: 600 })}
        >
          {describeLine(step)}
          {index + 1 === failed && ` (${t.states.failed})`}
        </Text>
      ))}
    </ol>
  )
}

/** `{ user: 'hi' }` is `User: hi`. */
function describeLine(step: unknown): string {
  const [[kind = '', value] = []] = Object.entries(toObject(step))
  const name = (Object.hasOwn(t.lines, kind) && t.lines[kind]) || kind
  return texts.common.labelled(name, describeValue(kind, value))
}

/** Choices of a message are lines. */
function describeValue(kind: string, value: unknown): string {
  if (typeof value === 'string') return value
  const message = kind === 'user' || kind === 'bot' ? toObject(value) : {}
  if (typeof message.type === 'string') return preview(message.type, message)
  if (typeof message.contains === 'string') return `… ${message.contains} …`
  return JSON.stringify(value) ?? ''
}
