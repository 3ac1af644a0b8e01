// Imports projects of Voiceflow. A diagram becomes a flow, a block a node, or several if a port leads to a
// step inside of it.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { toNoteCard } from '../note-card.ts'
import { type Json, listIn, objectsIn, textIn, valueIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import type { VoiceflowContext } from './context.ts'
import { voiceflowKinds } from './kinds.ts'
import {
  readDiagrams,
  type VoiceflowBlock,
  type VoiceflowDiagram,
  type VoiceflowStep,
} from './source.ts'
import type { Step } from './step.ts'
import { describeIntent, isEntrance, steps } from './steps.ts'
import { VoiceflowTexts } from './texts.ts'

export function importVoiceflow(file: Json, fileName: string): Assembly {
  const version = textIn(file, '_version') || textIn(file, 'version', '_version') || '1'
  const bot = new Assembly(
    `Voiceflow (version ${version})`,
    textIn(file, 'project', 'name') || fileName,
  )
  const texts = new VoiceflowTexts(bot.variables, readNames(file))
  const context: VoiceflowContext = { bot, texts, file }
  const diagrams = readDiagrams(file)
  for (const { id, name } of diagrams) bot.addFlow(id, name)
  const targets = findTargets(diagrams)
  for (const diagram of diagrams) addDiagram(context, diagram, targets)
  if (diagrams[0]) addEntrances(context, diagrams, diagrams[0])
  bot.remark('The bot begins with the first message of the user. Voices are not carried.')
  return bot
}

/** Names of variables and entities by id and by name. */
function readNames(file: Json): Map<string, string> {
  const names = new Map<string, string>()
  const plain = [...listIn(file, 'version', 'variables'), ...objectsIn(file, 'diagrams')]
  for (const name of plain) if (typeof name === 'string') names.set(name, name)
  for (const diagram of Object.values((valueIn(file, 'diagrams') ?? {}) as object))
    for (const name of listIn(diagram, 'variables'))
      if (typeof name === 'string') names.set(name, name)
  const rows = [
    ...objectsIn(file, 'version', 'platformData', 'slots'),
    ...objectsIn(file, 'variables'),
    ...objectsIn(file, 'entities'),
  ]
  for (const row of rows) {
    const name = textIn(row, 'name')
    for (const id of [textIn(row, 'key'), textIn(row, 'id'), name])
      if (id !== '') names.set(id, name)
  }
  return names
}

const findTargets = (diagrams: VoiceflowDiagram[]): Set<string | undefined> =>
  new Set(
    diagrams.flatMap(({ start, blocks }) => [
      start,
      ...blocks.flatMap(({ steps: inside }) =>
        inside.flatMap(({ ports, data }) => [
          ports.next,
          ports.otherwise,
          ports.fail,
          ...ports.dynamic,
          ...ports.byKey.values(),
          textIn(data, 'nodeID') || undefined,
        ]),
      ),
    ]),
  )

function addDiagram(
  context: VoiceflowContext,
  diagram: VoiceflowDiagram,
  targets: ReadonlySet<string | undefined>,
): void {
  const { bot } = context
  const start = diagram.start ?? diagram.blocks[0]?.id
  if (start !== undefined) {
    bot.enterAt(diagram.id, start)
    reportPart(bot, voiceflowKinds, { kind: 'start', name: diagram.name, node: start })
  }
  for (const block of diagram.blocks) addBlock(context, diagram.id, block, targets)
}

/** Begins a node at each step to which a port leads. */
function addBlock(
  context: VoiceflowContext,
  flow: string,
  block: VoiceflowBlock,
  targets: ReadonlySet<string | undefined>,
): void {
  const { bot } = context
  const parts: { id: string; inside: VoiceflowStep[] }[] = []
  for (const [index, step] of block.steps.entries()) {
    if (index === 0) parts.push({ id: block.id, inside: [] })
    else if (targets.has(step.id)) parts.push({ id: step.id, inside: [] })
    parts.at(-1)!.inside.push(step)
  }
  const first = block.steps[0]!.id
  if (first !== block.id && targets.has(first))
    bot.addNode(flow, { id: first, label: block.name, cards: [], next: block.id })
  for (const [index, { id, inside }] of parts.entries()) {
    const cards: Card[] = []
    for (const step of inside) addStep(context, flow, step, id, cards)
    const last = inside.at(-1)!
    const next = last.ports.next ?? parts[index + 1]?.id
    const position = block.position && {
      x: block.position.x,
      y: block.position.y + index * 160,
    }
    bot.addNode(flow, {
      id,
      label: block.name,
      cards,
      next: isLeaving(last) ? undefined : next,
      position,
    })
  }
}

const isLeaving = ({ type }: VoiceflowStep) =>
  ['exit', 'goToNode', 'if', 'ifV2', 'random', 'randomV2'].includes(type)

function addStep(
  context: VoiceflowContext,
  flow: string,
  step: VoiceflowStep,
  node: string,
  cards: Card[],
): void {
  const { bot } = context
  const { type, data, ports } = step
  const found = type === 'exit' ? toExit(bot, flow) : toStep(context, step)
  cards.push(...withQuestion(cards, found.cards))
  if (!found.leads && ports.next !== undefined && cards.at(-1)?.type !== 'goTo')
    cards.push({ type: 'goTo', to: ports.next })
  reportPart(bot, voiceflowKinds, {
    kind: type,
    name: textIn(data, 'name') || textIn(data, 'title') || textIn(data, 'label') || type,
    node,
    ...(found.result && { result: found.result }),
    ...(found.note !== undefined && { note: found.note }),
  })
}

function toStep(context: VoiceflowContext, step: VoiceflowStep): Step {
  if (Object.hasOwn(steps, step.type)) return steps[step.type]!(context, step)
  return {
    cards: [
      toNoteCard(`Not imported: ${step.type}`, [JSON.stringify(step.data, null, 2)]),
    ],
  }
}

function toExit(bot: Assembly, flow: string): Step {
  const id = `${flow}\u0000exit`
  bot.addNodeOnce(flow, { id, label: 'exit', cards: [], type: 'end' })
  return { cards: [{ type: 'goTo', to: id }], leads: true }
}

/** The text before a question is the question. */
function withQuestion(cards: Card[], added: Card[]): Card[] {
  const [first] = added
  const last = cards.at(-1)
  if (
    first?.type !== 'capture' ||
    last?.type !== 'send' ||
    typeof last.message !== 'string'
  )
    return added
  if (first.question !== undefined && first.question !== 'Please choose:') return added
  cards.pop()
  return added.with(0, { ...first, question: last.message })
}

/** Intents and commands lead into the flows from the start of `main`. */
function addEntrances(
  context: VoiceflowContext,
  diagrams: VoiceflowDiagram[],
  main: VoiceflowDiagram,
): void {
  const { bot } = context
  const transitions = diagrams.flatMap(({ blocks }) =>
    blocks.flatMap(({ id, steps: inside }) =>
      inside.flatMap((step) => {
        if (!isEntrance(step)) return []
        const intent = textIn(step.data, 'intent') || textIn(step.data, 'intent', 'key')
        return [{ when: describeIntent(context, intent), to: step.ports.next ?? id }]
      }),
    ),
  )
  const start = main.start ?? main.blocks[0]?.id
  if (transitions.length === 0 || start === undefined) return
  const entrance = 'entrance'
  bot.addNode(main.id, {
    id: entrance,
    label: 'intents',
    cards: [
      { type: 'aiTransition', transitions: transitions.slice(0, 50), otherwise: start },
    ],
  })
  bot.enterAt(main.id, entrance)
}
