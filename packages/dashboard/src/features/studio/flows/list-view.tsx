// A flow as a list of its steps, for screen readers and phones: the same keys and forms as on the canvas.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useFlowKeys } from '../canvas/use-flow-keys.ts'
import { countInside, useChecks } from '../checks/checks.tsx'
import { useNodeCounts } from '../counts/node-counts.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import { usePath } from '../path/path.tsx'
import styles from '../studio.module.css'
import { useUntested } from '../tests/test-results.tsx'
import { useFlowEditor } from './flow-editor.tsx'
import type { Exit, Graph, GraphNode, Row } from './flow-graph.ts'
import { nameAsFlow } from './names.ts'
import { cardPointer, nodePointer } from './places.ts'

const t = texts.studio

export function ListView({ graph }: { graph: Graph }) {
  const { openPalette } = useFlowEditor()
  const { isEditor } = useStudio()
  const area = useRef<HTMLDivElement>(null)
  const reveal = (name: string) =>
    area.current
      ?.querySelector(`[data-node="${CSS.escape(name)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  const onKeyDown = useFlowKeys({ area, graph, reveal })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the steps inside
    <div ref={area} className={styles.list} onKeyDown={onKeyDown}>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {graph.nodes.map((node) => (
          <Step key={node.name} node={node} flow={graph.flow} />
        ))}
      </Stack>
      {isEditor && (
        <Button
          mt="sm"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => openPalette({})}
        >
          {t.addStep}
        </Button>
      )}
    </div>
  )
}

function Step({ node, flow }: { node: GraphNode; flow: string }) {
  const { find: findCounts } = useNodeCounts(flow)
  const { select, openPalette } = useFlowEditor()
  const { isEditor } = useStudio()
  const { name, type, rows } = node
  return (
    <li className="panel" data-node={name}>
      <Group p="xs" gap="xs">
        <Title order={2} size="h6" flex={1} className="foreign">
          {name}
        </Title>
        <Text size="xs" c="dimmed">
          {t.nodeTypes[type] ?? type}
        </Text>
        {findCounts && (
          <Text size="xs" c="dimmed">
            {t.nodeCounts(findCounts(name))}
          </Text>
        )}
        <Untested pointer={nodePointer(flow, name)} />
        <Passed pointer={nodePointer(flow, name)} />
        <ProblemCount pointer={nodePointer(flow, name)} />
        <Button
          variant="default"
          size="compact-xs"
          aria-label={t.editStep(name)}
          onClick={() => select({ nodes: [name], isOpen: true })}
        >
          {t.edit}
        </Button>
      </Group>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards have no other identity
        <RowView key={index} row={row} node={name} flow={flow} />
      ))}
      {isEditor && (
        <Group p="xs">
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t.addCardTo(name)}
            onClick={() => openPalette({ node: name })}
          >
            {t.addCard}
          </Button>
        </Group>
      )}
    </li>
  )
}

/** Marks a step or card on the way of the conversation that tries the draft. */
function Passed({ pointer }: { pointer: string }) {
  const { nodes, cards, last } = usePath()
  if (!nodes.has(pointer) && !cards.has(pointer)) return null
  return (
    <Text size="xs" fw={600} c="var(--mantine-primary-color-filled)" component="span">
      {pointer === last ? t.isHere : t.passed}
    </Text>
  )
}

function Untested({ pointer }: { pointer: string }) {
  if (!useUntested().has(pointer)) return null
  return (
    <Text size="xs" c="dimmed" component="span" data-untested>
      {t.tests.noTest}
    </Text>
  )
}

function ProblemCount({ pointer }: { pointer: string }) {
  const count = countInside(useChecks().problems, pointer)
  if (count === 0) return null
  return (
    <Text size="xs" c="var(--bad)">
      {t.problems(count)}
    </Text>
  )
}

function RowView({ row, node, flow }: { row: Row; node: string; flow: string }) {
  const { select, selection } = useFlowEditor()
  const { card, title, text, exits } = row
  return (
    <>
      {card !== undefined && (
        <button
          type="button"
          className={styles.choice}
          data-card={card}
          aria-pressed={selection.nodes[0] === node && selection.card === card}
          onClick={() => select({ nodes: [node], card, isOpen: true })}
        >
          <Group justify="space-between" component="span">
            <Text size="xs" c="dimmed" component="span">
              {title}
            </Text>
            <Passed pointer={cardPointer(flow, node, card)} />
            <ProblemCount pointer={cardPointer(flow, node, card)} />
          </Group>
          <Text size="sm" component="span" className="foreign">
            {text}
          </Text>
        </button>
      )}
      {exits.map((exit) => (
        <ExitLine key={exit.pointer} exit={exit} flow={flow} />
      ))}
    </>
  )
}

function ExitLine({ exit: { label, target }, flow }: { exit: Exit; flow: string }) {
  const { select, openFlow } = useFlowEditor()
  if (!target) return null
  const isHere = target.flow === flow
  const open = () => {
    if (!isHere) openFlow(target.flow)
    else if (target.node !== undefined) select({ nodes: [target.node], isOpen: true })
  }
  return (
    <Text size="xs" px="sm" py={2} className="foreign">
      {texts.common.labelled(label, '')}
      <Anchor component="button" type="button" size="xs" onClick={open}>
        {isHere ? target.node : nameAsFlow(target.flow)}
      </Anchor>
    </Text>
  )
}
