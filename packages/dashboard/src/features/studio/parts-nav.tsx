// The parts of a bot: its flows, what starts them, its variables and settings, its sentences.
import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { countInside, useChecks } from './checks/checks.tsx'
import { toPointer } from './draft/edits.ts'
import { useStudio } from './draft/use-draft.tsx'
import { listFlows } from './flows/bot-document.ts'
import { addFlow } from './flows/flow-editor.tsx'
import { nameFlow } from './flows/names.ts'
import styles from './studio.module.css'

const t = texts.studio

export const parts = ['texts', 'variables', 'triggers', 'hooks', 'settings'] as const
export type Part = (typeof parts)[number]

interface PartsNavProps {
  flow: string
  /** Undefined while a flow is shown. */
  part: Part | undefined
  openFlow: (flow: string) => void
  openPart: (part: Part) => void
}

export function PartsNav({ flow, part, openFlow, openPart }: PartsNavProps) {
  const { value, edit, isEditor } = useStudio()
  const { problems } = useChecks()
  const add = () => {
    const { name, edits } = addFlow(value)
    edit(edits)
    openFlow(name)
  }
  return (
    <Stack component="nav" gap={2} className={styles.parts} aria-label={t.parts}>
      <Text size="xs" c="dimmed" px={8}>
        {t.flows}
      </Text>
      {listFlows(value).map((name) => (
        <PartButton
          key={name}
          label={nameFlow(name)}
          isCurrent={part === undefined && flow === name}
          count={countInside(problems, toPointer('flows', name))}
          open={() => openFlow(name)}
        />
      ))}
      {isEditor && (
        <Button
          variant="subtle"
          size="compact-sm"
          justify="flex-start"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={add}
        >
          {t.addFlow}
        </Button>
      )}
      <Text size="xs" c="dimmed" px={8} mt="xs">
        {t.ofBot}
      </Text>
      {parts.map((name) => (
        <PartButton
          key={name}
          label={t.partNames[name]}
          isCurrent={part === name}
          count={countInside(problems, name === 'texts' ? '/languages' : `/${name}`)}
          open={() => openPart(name)}
        />
      ))}
    </Stack>
  )
}

interface PartButtonProps {
  label: string
  isCurrent: boolean
  count: number
  open: () => void
}

const PartButton = ({ label, isCurrent, count, open }: PartButtonProps) => (
  <button type="button" className={styles.part} aria-current={isCurrent} onClick={open}>
    <span className="foreign one-line" style={{ flex: 1 }}>
      {label}
    </span>
    {count > 0 && (
      <Text size="xs" c="var(--bad)" component="span">
        {t.problems(count)}
      </Text>
    )}
  </button>
)
