// Skills of Botpress 12 that become cards.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import { toRequestCode } from '../http-code.ts'
import {
  entriesIn,
  isSet,
  type Json,
  numberIn,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'
import { reportPart } from '../support.ts'
import type { BotpressContext } from './context.ts'
import { botpressKinds } from './kinds.ts'
import { toFlowName } from './source.ts'

/** Skills that become cards, so that their flows are not carried. */
export const cardSkills = ['choice', 'Slot', 'CallAPI']

export function toSkill(context: BotpressContext, node: Json, id: string): Card[] {
  const { bot, files } = context
  const skill = textIn(node, 'skill')
  const flow = files.flows.find(({ name }) => name === toFlowName(textIn(node, 'flow')))
  const data = valueIn(flow?.raw, 'skillData')
  const name = textIn(node, 'name')
  if (cardSkills.includes(skill)) {
    reportPart(bot, botpressKinds, { kind: `skill ${skill}`, name, node: id })
    if (skill === 'choice') return toChoice(context, data)
    return skill === 'Slot' ? toSlot(context, data) : toCall(context, data)
  }
  reportPart(bot, botpressKinds, {
    kind: 'other skill',
    name: `${skill}: ${name}`,
    node: id,
  })
  const called = flow && bot.findFlow(flow.name)
  return called ? [{ type: 'callFlow', flow: called }] : []
}

function toChoice({ bot, texts, elements }: BotpressContext, data: unknown): Card[] {
  const id = textIn(data, 'contentId')
  const form = elements.find(id)?.form ?? {}
  const { text, options, textKey } = elements.toOptions(id, form)
  const synonyms = new Map(
    entriesIn(data, 'keywords').map(([value, words]) => [
      value,
      textsIn({ words }, 'words').slice(1),
    ]),
  )
  const into = texts.variable('temp', `skill-choice-ret-${textIn(data, 'randomId')}`)
  const retries = numberIn(data, 'config', 'nbMaxRetries')
  const invalid = elements.find(textIn(data, 'invalidContentId'))
  const named = textIn(data, 'config', 'variableName')
  if (options.length === 0)
    return [{ type: 'capture', kind: 'raw', question: text, into }]
  return [
    {
      type: 'capture',
      kind: 'singleChoice',
      ...(textKey && { textKey }),
      question: text,
      options: options.map((option) => ({
        ...option,
        ...((synonyms.get(option.value)?.length ?? 0) > 0 && {
          synonyms: synonyms.get(option.value)!,
        }),
      })),
      into,
      ...(retries !== undefined && {
        retries: Math.max(0, Math.min(100, Math.round(retries))),
      }),
      ...(invalid && { retryMessage: elements.text(invalid.form, 'text') }),
    },
    ...(named
      ? [
          {
            type: 'set' as const,
            variable: bot.variables.declare(`temp.${named}`, named),
            value: `{{ ${into} }}`,
          },
        ]
      : []),
  ]
}

const kinds: Record<string, CaptureCard['kind']> = {
  time: 'date',
  date: 'date',
  number: 'number',
  ordinal: 'number',
  amountOfMoney: 'number',
  quantity: 'number',
  email: 'email',
  phoneNumber: 'phone',
  url: 'url',
}

/** Sets the same variables as the skill, because conditions read them. */
function toSlot({ texts, elements }: BotpressContext, data: unknown): Card[] {
  const into = texts.slot(textIn(data, 'slotName'))
  const [entity = ''] = textsIn(data, 'entities').map((one) =>
    one.replace(/^system\./, ''),
  )
  const [question, retry] = ['contentElement', 'notFoundElement'].map((field) =>
    elements.find(textIn(data, field)),
  )
  const [extracted, missing, already] = [
    'extracted',
    'notExtracted',
    'alreadyExtracted',
  ].map((name) => texts.variable('temp', name)) as [string, string, string]
  return [
    { type: 'set', variable: already, value: 'false' },
    {
      type: 'capture',
      kind: Object.hasOwn(kinds, entity) ? kinds[entity]! : 'raw',
      ...(question && { question: elements.text(question.form, 'text') }),
      ...(retry && { retryMessage: elements.text(retry.form, 'text') }),
      retries: Math.max(
        0,
        Math.min(100, Math.round(numberIn(data, 'retryAttempts') ?? 3)),
      ),
      into,
    },
    {
      type: 'set',
      variable: extracted,
      value: `{{ ${into} === null ? "false" : "true" }}`,
    },
    {
      type: 'set',
      variable: missing,
      value: `{{ ${into} === null ? "true" : "false" }}`,
    },
  ]
}

function toCall({ bot, texts }: BotpressContext, data: unknown): Card[] {
  const scope = textIn(data, 'memory') || 'session'
  const into = texts.variable(
    ['temp', 'session', 'user', 'bot'].includes(scope) ? scope : 'session',
    textIn(data, 'variable') || 'response',
  )
  const valid = texts.variable('temp', 'valid')
  const body = textIn(data, 'body')
  const toPieces = (text: string) => {
    const js = texts.template(text)
    return js.includes('{{') ? [{ js: toTemplateJs(js) }] : [text]
  }
  const code = toRequestCode(bot, {
    method: textIn(data, 'method') || 'get',
    url: toPieces(textIn(data, 'url')),
    headers: entriesIn(data, 'headers').map(([name, value]) => [
      name,
      toPieces(textIn({ value }, 'value')),
    ]),
    ...(body && {
      body: {
        kind: isSet(data, 'invalidJson') ? 'text' : 'json',
        pieces: toPieces(body),
      },
    }),
    results: [
      `${into} = { body: response.data, status: response.status }`,
      `${valid} = response.status < 400 ? 'true' : 'false'`,
    ],
  })
  return [{ type: 'code', name: 'HTTP request', code }]
}

/** Turns a text with `{{ }}` into a template literal. */
const toTemplateJs = (template: string) =>
  template
    .split(/(\{\{ .*? \}\})/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('{{ ')
        ? `String(${part.slice(3, -3)} ?? "")`
        : JSON.stringify(part),
    )
    .join(' + ')
