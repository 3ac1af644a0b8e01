// Imports bots of Typebot. A group becomes a node, or several if an edge leads to a block inside of it.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { toNoteCard } from '../note-card.ts'
import { type Json, textIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import type { Step, TypebotContext } from './context.ts'
import { captureNote, toCapture, toPrompt } from './inputs.ts'
import { typebotKinds } from './kinds.ts'
import { isChatCompletion, toModelCards } from './models.ts'
import { type Block, type Group, readTypebot } from './source.ts'
import { steps } from './steps.ts'
import { TypebotTexts } from './texts.ts'

const flow = 'main'

export function importTypebot(source: Json): Assembly {
  const file = readTypebot(source)
  const bot = new Assembly(`Typebot (version ${file.version})`, file.name)
  bot.addFlow(flow, 'main')
  const groups = new Set(file.groups.map(({ id }) => id))
  const texts = new TypebotTexts(bot.variables, file.variables)
  const context: TypebotContext = { bot, texts, knows: (id) => groups.has(id) }
  const targets = new Set(
    file.groups.flatMap(({ blocks }) =>
      blocks.flatMap(({ target, items, type, options }) => [
        target,
        ...items.map((item) => item.target),
        ...(type === 'Jump' ? [textIn(options, 'blockId')] : []),
      ]),
    ),
  )
  if (file.start !== undefined) {
    targets.add(file.start)
    bot.enterAt(flow, file.start)
    reportPart(bot, typebotKinds, { kind: 'start', name: 'Start', node: file.start })
  }
  for (const group of file.groups) addGroup(context, group, targets)
  for (const event of file.otherEvents)
    bot.report({
      kind: `event ${textIn(event, 'type')}`,
      name: textIn(event, 'type'),
      result: 'omitted',
      note: 'Start a flow with a trigger of type `event`, or check the words of the message in `main`',
    })
  bot.remark(
    'The bot begins with the first message of the user. Colours and fonts are set on the page Webchat.',
  )
  return bot
}

/** Begins a node at each block to which an edge leads. */
function addGroup(
  context: TypebotContext,
  group: Group,
  targets: ReadonlySet<string | undefined>,
): void {
  const parts: { id: string; blocks: Block[] }[] = []
  for (const [index, block] of group.blocks.entries()) {
    if (index === 0) parts.push({ id: group.id, blocks: [] })
    else if (targets.has(block.id)) parts.push({ id: block.id, blocks: [] })
    parts.at(-1)!.blocks.push(block)
  }
  // An edge to the first block leads to the group.
  const first = group.blocks[0]!.id
  if (targets.has(first) && first !== group.id)
    context.bot.addNode(flow, {
      id: first,
      label: group.title,
      cards: [],
      next: group.id,
    })
  for (const [index, { id, blocks }] of parts.entries()) {
    const position = group.position && {
      x: group.position.x,
      y: group.position.y + index * 160,
    }
    const cards: Card[] = []
    for (const block of blocks) addBlock(context, block, id, cards)
    const next = toNext(blocks.at(-1)!) ?? parts[index + 1]?.id
    context.bot.addNode(flow, { id, label: group.title, cards, next, position })
  }
}

/** Of the last block; a condition leads on by a card. */
const toNext = ({ type, target }: Block) =>
  type === 'Condition' || type === 'Loop' ? undefined : target

function addBlock(
  context: TypebotContext,
  block: Block,
  node: string,
  cards: Card[],
): void {
  const capture = toCapture(context, block)
  const step = capture
    ? {
        cards: withQuestion(cards, capture, toPrompt(context, block)),
        ...toResult(block),
      }
    : toStep(context, block)
  cards.push(...step.cards)
  const leads = block.target !== undefined && !['Condition', 'Loop'].includes(block.type)
  const isLast = cards.at(-1)?.type === 'goTo'
  if (leads && !isLast) cards.push({ type: 'goTo', to: block.target! })
  const isModel = !Object.hasOwn(typebotKinds, block.type) && isChatCompletion(block)
  reportPart(context.bot, typebotKinds, {
    kind: isModel ? 'chat completion of a model' : block.type,
    name: textIn(block.options, 'name') || block.type,
    node,
    ...(step.result && { result: step.result }),
    note: step.note,
  })
}

const toResult = (block: Block): Omit<Step, 'cards'> => {
  const note = captureNote(block)
  return note === undefined ? {} : { result: 'changed', note }
}

/** The text before a question is the question; without one, the prompt of the input. */
function withQuestion(cards: Card[], capture: Card[], prompt: string): Card[] {
  const index = capture.findIndex(({ type }) => type === 'capture')
  const asking = capture[index]
  if (asking?.type !== 'capture') return capture
  const last = cards.at(-1)
  const hasText = index === 0 && last?.type === 'send' && typeof last.message === 'string'
  if (hasText) cards.pop()
  const question = hasText ? (last as { message: string }).message : prompt
  if (question === '') return capture
  return capture.with(index, { ...asking, question })
}

function toStep(context: TypebotContext, block: Block): Step {
  if (Object.hasOwn(steps, block.type)) return steps[block.type]!(context, block)
  if (isChatCompletion(block)) return toModelCards(context, block)
  return {
    cards: [
      toNoteCard(`Not imported: ${block.type}`, [JSON.stringify(block.raw, null, 2)]),
    ],
  }
}
