// The way of the conversation that tries the draft: the steps and cards that it passed, and its variables.
import type { AnswerTrace } from '@botstead/contract'
import { Group, Table, Text } from '@mantine/core'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useBot } from '../../../api/scope.ts'
import { Folded } from '../../../parts/folded.tsx'
import { traceQuery } from '../../../parts/traces/use-trace.ts'
import { texts } from '../../../texts/texts.ts'
import { isObject, toList, toObject } from '../flows/bot-document.ts'
import { nodePointer } from '../flows/places.ts'

const t = texts.studio

/** Pointers in the order of the conversation, and the last value of each variable that it set. */
interface Walked {
  nodes: string[]
  cards: string[]
  variables: [name: string, value: string][]
}

export interface Path {
  nodes: ReadonlySet<string>
  cards: ReadonlySet<string>
  /** The step at which the conversation is. */
  last: string | undefined
}

interface TracedMessage {
  trace: AnswerTrace | null
}

const nowhere: Walked = { nodes: [], cards: [], variables: [] }
const Shared = createContext<Path>({
  nodes: new Set(),
  cards: new Set(),
  last: undefined,
})
const Note = createContext<(walked: Walked) => void>(() => {})

export const usePath = () => useContext(Shared)

export function SharedPath({ children }: { children: ReactNode }) {
  const [{ nodes, cards }, note] = useState(nowhere)
  const path = useMemo(
    () => ({ nodes: new Set(nodes), cards: new Set(cards), last: nodes.at(-1) }),
    [nodes, cards],
  )
  return (
    <Note value={note}>
      <Shared value={path}>{children}</Shared>
    </Note>
  )
}

/** Reads the traces of messages, shows the variables, and lights up the path until it is removed. */
export function TracedPath({ messageIds }: { messageIds: string[] }) {
  const { botId, client } = useBot()
  const walked = useQueries({
    queries: messageIds.map((messageId) => ({
      ...traceQuery(client, botId, { messageId }),
      // A turn is recorded once, at its end: later events do not read it again.
      staleTime: ({ state }: { state: { data?: TracedMessage | undefined } }) =>
        state.data?.trace?.turn ? ('static' as const) : 0,
    })),
    combine: toWalked,
  })
  const note = useContext(Note)
  useEffect(() => note(walked), [note, walked])
  useEffect(() => () => note(nowhere), [note])
  if (walked.variables.length === 0) return null
  return (
    <Group px="md" pt="xs" style={{ flex: 'none', maxHeight: '40%', overflow: 'auto' }}>
      <Folded title={t.variables}>
        <Table withRowBorders={false} verticalSpacing={2}>
          <Table.Tbody>
            {walked.variables.map(([name, value]) => (
              <Table.Tr key={name} className="foreign">
                <Table.Th fw={600}>{name}</Table.Th>
                <Table.Td>
                  <Text size="sm">{value}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Folded>
    </Group>
  )
}

/** Several messages may belong to one turn. Bots write what they want into traces. */
function toWalked(traces: UseQueryResult<TracedMessage>[]): Walked {
  const turns = new Map(
    traces.flatMap(({ data }) => (data?.trace ? [toTurn(data.trace)] : [])),
  )
  const [nodes, cards, variables] = [new Set<string>(), new Set<string>(), new Map()]
  let node = ''
  for (const step of [...turns.values()].flat().filter(isObject)) {
    if (step.kind === 'node') {
      node = nodePointer(String(step.flow), String(step.node))
      // The last one is where the conversation is.
      nodes.delete(node)
      nodes.add(node)
    } else if (step.kind === 'card') cards.add(`${node}/cards/${step.index}`)
    else if (step.kind === 'set') variables.set(String(step.variable), String(step.to))
  }
  return { nodes: [...nodes], cards: [...cards], variables: [...variables] }
}

const toTurn = ({ event, turn }: AnswerTrace): [string, unknown[]] => [
  event.id,
  toList(toObject(turn).steps),
]
