// Instructions of nodes of Botpress 12: `say #!element`, `module/action {…}`, and actions of the bot.
import type { Card } from '../../document/card-shapes.ts'
import { findForeign } from '../expressions.ts'
import { toNoteCard } from '../note-card.ts'
import { isObject, type Json, numberIn, textIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import type { BotpressContext } from './context.ts'
import { botpressKinds } from './kinds.ts'

/** Returns the name and the arguments of `name {"a": 1}`. */
export function parseInstruction(instruction: string): { name: string; args: Json } {
  const [, name = '', text = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(instruction) ?? []
  try {
    const args: unknown = JSON.parse(text || '{}')
    return { name, args: isObject(args) ? args : {} }
  } catch {
    return { name, args: {} }
  }
}

/** `node` is the id for the report. */
export function toInstructionCards(
  context: BotpressContext,
  instruction: string,
  node: string,
): Card[] {
  const { bot, elements } = context
  const [, element] = /^\s*say\s+[#@]!?(\S+)/.exec(instruction) ?? []
  if (element !== undefined) {
    const card = elements.toSend(element)
    const lost = {
      result: 'omitted' as const,
      note: 'The archive does not have this text',
    }
    reportPart(bot, botpressKinds, {
      kind: 'say',
      name: element,
      node,
      ...(!card && lost),
    })
    return card ? [card] : [toNoteCard(`Not imported: ${element}`, [instruction])]
  }
  const { name, args } = parseInstruction(instruction)
  if (name === 'builtin/setVariable') return toSet(context, args, node)
  if (name.startsWith('builtin/')) return toBuiltIn(context, name, args, node)
  if (name.includes('/')) {
    if (!context.actions.has(name)) {
      reportPart(bot, botpressKinds, { kind: 'module action', name, node })
      return [toNoteCard(`Not imported: ${name}`, [instruction])]
    }
  }
  return toAction(context, name, args, node)
}

function toSet({ bot, texts }: BotpressContext, args: Json, node: string): Card[] {
  const [type, name] = [textIn(args, 'type') || 'session', textIn(args, 'name')]
  reportPart(bot, botpressKinds, { kind: 'set variable', name: `${type}.${name}`, node })
  if (name === '') return []
  return [
    {
      type: 'set',
      variable: texts.variable(type, name),
      value: texts.template(textIn(args, 'value')),
    },
  ]
}

/** Longer waits would reach the time limit of code. */
const maxWaitMs = 8_000

function toBuiltIn(
  { bot }: BotpressContext,
  name: string,
  args: Json,
  node: string,
): Card[] {
  const action = name.slice('builtin/'.length)
  const isKnown = [
    'wait',
    'resetSession',
    'appendContext',
    'removeContext',
    'resetContext',
  ].includes(action)
  reportPart(bot, botpressKinds, {
    kind: isKnown ? 'built-in action' : 'module action',
    name,
    node,
    ...(action.endsWith('Context') && {
      result: 'changed' as const,
      note: 'There are no contexts: `aiTransition` describes the intents of its node',
    }),
  })
  if (action === 'wait') {
    const delay = Math.min(numberIn(args, 'delay') ?? 1000, maxWaitMs)
    return [
      {
        type: 'code',
        name: 'Wait',
        code: `await new Promise((resolve) => setTimeout(resolve, ${delay}))`,
      },
    ]
  }
  if (action === 'resetSession')
    return [
      {
        type: 'code',
        name: 'Reset',
        code: 'for (const name of Object.keys(conversation)) conversation[name] = null',
      },
    ]
  return isKnown ? [] : [toNoteCard(`Not imported: ${name}`, [JSON.stringify(args)])]
}

/** Libraries that code of bots has as globals. */
const available =
  /^\s*(?:const|let|var)\s+(?:axios|_|lodash)\s*=\s*require\((['"])(?:axios|lodash)\1\)(?:\.default)?;?\s*$/gm

function toAction(
  { bot, texts, actions }: BotpressContext,
  name: string,
  args: Json,
  node: string,
): Card[] {
  const source = actions.get(name)
  if (source === undefined) {
    reportPart(bot, botpressKinds, {
      kind: 'action',
      name,
      node,
      result: 'omitted',
      note: 'The archive does not have its code',
    })
    return [toNoteCard(`Not imported: the action ${name}`, [JSON.stringify(args)])]
  }
  const given = Object.entries(args).map(
    ([key, value]) => `${JSON.stringify(key)}: ${toArgument(texts, value)}`,
  )
  const code = texts.toCode(source.replace(available, ''))
  const foreign = /\bbp\s*\./.test(code) ? 'bp' : findForeign(code)
  if (foreign === null) {
    reportPart(bot, botpressKinds, { kind: 'action', name, node })
    return [
      {
        type: 'code',
        name: name.slice(0, 200),
        code: `const args = { ${given.join(', ')} }\nawait (async () => {\n${code}\n})()`,
      },
    ]
  }
  reportPart(bot, botpressKinds, {
    kind: 'action',
    name,
    node,
    result: 'omitted',
    note: `The code uses \`${foreign}\`, which bots do not have. Write it again with \`client\` or \`axios\``,
  })
  return [
    toNoteCard(`Not imported: the action ${name}`, [
      `const args = { ${given.join(', ')} }`,
      source,
    ]),
  ]
}

function toArgument(texts: BotpressContext['texts'], value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  const [, only] = /^\{\{\{?\s*([^{}]+?)\s*\}?\}\}$/.exec(value.trim()) ?? []
  const js = only === undefined ? null : texts.condition(only)
  return js ?? JSON.stringify(value)
}
