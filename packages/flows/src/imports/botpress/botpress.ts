// Imports bots of Botpress 12: flows, content elements in several languages, skills, actions, intents and
// questions with answers.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { type Json, objectsIn, textIn, textsIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import type { BotpressContext } from './context.ts'
import { BotpressElements } from './elements.ts'
import { parseInstruction, toInstructionCards } from './instructions.ts'
import { botpressKinds } from './kinds.ts'
import { cardSkills, toSkill } from './skills.ts'
import { type BotpressFlow, readBotpress, toFlowName } from './source.ts'
import { BotpressTexts } from './texts.ts'

export function importBotpress(
  archive: Map<string, Uint8Array>,
  fileName: string,
): Assembly {
  const files = readBotpress(archive)
  const bot = new Assembly('Botpress 12', files.name || fileName)
  const texts = new BotpressTexts(bot)
  const elements = new BotpressElements(bot, files, texts)
  const context: BotpressContext = {
    bot,
    texts,
    elements,
    actions: files.actions,
    files,
    usedIntents: new Set(),
  }
  const skills = new Set(
    files.flows.flatMap(({ nodes }) =>
      nodes.flatMap((node) =>
        cardSkills.includes(textIn(node, 'skill'))
          ? [toFlowName(textIn(node, 'flow'))]
          : [],
      ),
    ),
  )
  const flows = files.flows.filter(({ name }) => !skills.has(name))
  for (const { name } of flows)
    bot.addFlow(name, name.replace(/^.*\//, ''), name === 'error' ? 'error' : undefined)
  for (const flow of flows) addFlow(context, flow)
  if (files.questions.length > 0 && flows[0]) addQuestions(context, flows[0])
  reportRest(context)
  return bot
}

const toId = (flow: string, node: string) => `${flow}\u0000${node}`

function addFlow(context: BotpressContext, flow: BotpressFlow): void {
  const { bot } = context
  bot.enterAt(flow.name, toId(flow.name, flow.start || textIn(flow.nodes[0], 'name')))
  reportPart(bot, botpressKinds, {
    kind: 'flow',
    name: flow.name,
    node: toId(flow.name, flow.start),
  })
  for (const node of flow.nodes) addNode(context, flow, node)
}

function addNode(context: BotpressContext, flow: BotpressFlow, node: Json): void {
  const { bot } = context
  const name = textIn(node, 'name')
  const id = toId(flow.name, name)
  const cards: Card[] =
    textIn(node, 'type') === 'skill-call' ? toSkill(context, node, id) : []
  for (const instruction of textsIn(node, 'onEnter'))
    cards.push(...toInstructionCards(context, instruction, id))
  if (Array.isArray(node.onReceive)) {
    cards.push(...toWait(context, cards, id))
    for (const instruction of textsIn(node, 'onReceive'))
      cards.push(...toInstructionCards(context, instruction, id))
  }
  const { transitions, next, type, lost } = toTransitions(context, flow, node)
  bot.addNode(flow.name, {
    id,
    label: name,
    cards: [...cards, ...transitions],
    next,
    ...(type && { type }),
    position: flow.positions.get(textIn(node, 'id')),
  })
  reportPart(bot, botpressKinds, {
    kind: 'node',
    name,
    node: id,
    ...(lost.length > 0 && {
      result: 'changed' as const,
      note: `Conditions that cannot run here never hold: ${lost.join('; ')}. Write them again`,
    }),
  })
}

/** The text before is the question. */
function toWait({ bot }: BotpressContext, cards: Card[], node: string): Card[] {
  reportPart(bot, botpressKinds, { kind: 'wait', name: 'onReceive', node })
  const into = bot.variables.declare('answer', 'answer')
  const last = cards.at(-1)
  const isQuestion =
    last?.type === 'send' &&
    typeof last.message === 'string' &&
    last.textKey === undefined
  if (isQuestion) cards.pop()
  return [
    { type: 'capture', kind: 'raw', into, ...(isQuestion && { question: last.message }) },
  ]
}

const intent =
  /^event\.nlu\.intent(?:\.name\s*===?\s*|\.is\(\s*)(['"])([^'"]{1,200})\1\)?$/

/** A condition on an intent becomes a description for the model, together with those beside it. */
function toTransitions(context: BotpressContext, flow: BotpressFlow, node: Json) {
  const transitions: Card[] = []
  const lost: string[] = []
  let next: string | undefined
  let type: 'end' | 'exit' | undefined
  for (const one of objectsIn(node, 'next')) {
    const condition = textIn(one, 'condition').trim()
    const target = toTarget(context, flow, textIn(one, 'node'))
    const [, , name] = intent.exec(condition) ?? []
    if (condition === 'true' || condition === 'always' || condition === '') {
      if (target.end) type = target.end
      next = target.id
      break
    }
    if (target.id === undefined) continue
    const last = transitions.at(-1)
    if (name !== undefined) {
      const described = { when: describeIntent(context, name), to: target.id }
      if (last?.type === 'aiTransition') last.transitions.push(described)
      else transitions.push({ type: 'aiTransition', transitions: [described] })
      continue
    }
    const when = context.texts.condition(condition)
    if (when === null) lost.push(condition)
    transitions.push({ type: 'transition', when: when ?? 'false', to: target.id })
  }
  return { transitions, next, type, lost }
}

function toTarget(
  context: BotpressContext,
  flow: BotpressFlow,
  node: string,
): { id?: string; end?: 'end' | 'exit' } {
  if (node === '') return {}
  if (node === 'END') return { end: 'end', ...toEnd(context, flow, 'end') }
  if (node.startsWith('#')) return { end: 'exit', ...toEnd(context, flow, 'exit') }
  if (!node.includes('.flow.json')) return { id: toId(flow.name, node) }
  const other = context.files.flows.find(({ name }) => name === toFlowName(node))
  if (!other) return {}
  const [, inside] = /#(.+)$/.exec(node) ?? []
  return { id: toId(other.name, inside ?? other.start) }
}

/** A node that ends the flow or the conversation, for transitions with a condition. */
function toEnd(
  { bot }: BotpressContext,
  flow: BotpressFlow,
  type: 'end' | 'exit',
): { id: string } {
  const id = `${flow.name}\u0000\u0000${type}`
  bot.addNodeOnce(flow.name, {
    id,
    label: type === 'end' ? 'end' : 'return',
    cards: [],
    type,
  })
  return { id }
}

const maxExamples = 5

function describeIntent({ files, usedIntents }: BotpressContext, name: string): string {
  usedIntents.add(name)
  const found = files.intents.find((one) => textIn(one, 'name') === name)
  const examples = textsIn(found, 'utterances', files.language).slice(0, maxExamples)
  const plain = examples.map((text) =>
    text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[{}]/g, ''),
  )
  const shown = plain.length > 0 ? `, for example: ${plain.join('; ')}` : ''
  return `The message means "${name.replace(/[{}]/g, '')}"${shown}`
}

/** Answers from the questions first; otherwise, the conversation continues. */
function addQuestions({ bot, files }: BotpressContext, main: BotpressFlow): void {
  const base = bot.addKnowledgeBase('qna', 'qna', [
    'questions.md: questions with their answers',
  ])
  const start = toId(main.name, main.start || textIn(main.nodes[0], 'name'))
  bot.addNode(main.name, {
    id: 'qna',
    label: 'questions',
    cards: [{ type: 'answer', knowledgeBases: [base], onUnknown: start }],
  })
  bot.enterAt(main.name, 'qna')
  const texts = files.questions.map((one) => {
    const questions = textsIn(one, 'data', 'questions', files.language)
    const answers = textsIn(one, 'data', 'answers', files.language)
    reportPart(bot, botpressKinds, {
      kind: 'qna',
      name: questions[0] ?? textIn(one, 'id'),
      node: 'qna',
    })
    return questions.length > 0 && answers.length > 0
      ? `## ${questions.join(' / ')}\n\n${answers[0]}\n`
      : ''
  })
  bot.addFile(`knowledge/${base}/questions.md`, texts.filter(Boolean).join('\n'))
}

function reportRest({ bot, files, usedIntents }: BotpressContext): void {
  for (const one of files.intents) {
    const name = textIn(one, 'name')
    reportPart(bot, botpressKinds, {
      kind: usedIntents.has(name) ? 'intent' : 'intent without use',
      name,
    })
  }
  for (const one of files.entities)
    reportPart(bot, botpressKinds, { kind: 'entity', name: textIn(one, 'name') })
  for (const path of files.hooks)
    reportPart(bot, botpressKinds, { kind: 'hook', name: path })
  const used = files.flows.flatMap(({ nodes }) =>
    nodes.flatMap((node) => [...textsIn(node, 'onEnter'), ...textsIn(node, 'onReceive')]),
  )
  const names = new Set(used.map((text) => parseInstruction(text).name))
  for (const name of files.actions.keys())
    if (!names.has(name))
      reportPart(bot, botpressKinds, {
        kind: 'action',
        name,
        result: 'omitted',
        note: 'No node uses it',
      })
}
