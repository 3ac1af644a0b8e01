// Steps of Voiceflow as cards.
import type { Card } from '../../document/card-shapes.ts'
import { findForeign } from '../expressions.ts'
import { toRequestCode } from '../http-code.ts'
import { toNoteCard } from '../note-card.ts'
import type { Piece } from '../pieces.ts'
import { isObject, listIn, objectsIn, textIn, valueIn } from '../reading.ts'
import { toAiCapture, toCapture } from './captures.ts'
import type { VoiceflowContext } from './context.ts'
import {
  sendOne,
  toButtons,
  toCards,
  toChoice,
  toImage,
  toMessage,
  toSpeech,
} from './messages.ts'
import type { VoiceflowStep } from './source.ts'
import { goTo, type ToStep } from './step.ts'

/** Describes an intent by its name and some of its utterances. */
export function describeIntent({ file }: VoiceflowContext, reference: string): string {
  const intents = [
    ...objectsIn(file, 'version', 'platformData', 'intents'),
    ...objectsIn(file, 'intents'),
  ]
  const found = intents.find((one) =>
    [textIn(one, 'key'), textIn(one, 'id'), textIn(one, 'name')].includes(reference),
  )
  const own = objectsIn(found, 'inputs').map((one) => textIn(one, 'text'))
  const others = objectsIn(file, 'utterances')
    .filter((one) => textIn(one, 'intentID') === reference)
    .flatMap((one) =>
      listIn(one, 'text').map((part) => (typeof part === 'string' ? part : '')),
    )
  const examples = [...own, ...others].filter((text) => text !== '').slice(0, 5)
  const plain = examples.map((text) =>
    text.replace(/\{\{\[([^\]]*)\]\.[^}]*\}\}/g, '$1').replace(/[{}]/g, ''),
  )
  const name = (textIn(found, 'name') || reference).replace(/[{}]/g, '')
  return `The message means "${name}"${plain.length > 0 ? `, for example: ${plain.join('; ')}` : ''}`
}

const toInteraction: ToStep = (context, step) => {
  const { bot } = context
  const { data, ports, id } = step
  const transitions = objectsIn(data, 'choices').flatMap(({ intent }, index) => {
    const to = ports.dynamic[index] ?? ports.byKey.get(String(intent))
    return typeof intent !== 'string' || to === undefined
      ? []
      : [{ when: describeIntent(context, intent), to }]
  })
  const into = bot.variables.declare(`answer:${id}`, 'answer')
  const wait: Card = { type: 'capture', kind: 'raw', into }
  if (transitions.length === 0)
    return { cards: [wait, ...goTo(ports.otherwise)], leads: true }
  const { otherwise } = ports
  return {
    cards: [wait, { type: 'aiTransition', transitions, ...(otherwise && { otherwise }) }],
    leads: true,
  }
}

const toSet: ToStep = ({ texts }, { data }) => ({
  cards: objectsIn(data, 'sets').flatMap((one): Card[] => {
    const name = textIn(one, 'variable') || textIn(one, 'variableID')
    if (name === '') return []
    const expression = valueIn(one, 'expression') ?? valueIn(one, 'value')
    return [
      {
        type: 'set',
        variable: texts.variable(name),
        value: `{{ ${texts.expression(expression)} }}`,
      },
    ]
  }),
})

const toAiSet: ToStep = ({ bot, texts }, { data }) => {
  bot.remark(modelRemark)
  return {
    cards: objectsIn(data, 'sets').flatMap((one): Card[] => {
      const name = textIn(one, 'variable')
      return name === ''
        ? []
        : [
            {
              type: 'aiText',
              instructions:
                texts.template(textIn(one, 'prompt')) || 'Reply to the message.',
              into: texts.variable(name),
            },
          ]
    }),
  }
}

const modelRemark =
  'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.'

const toConditions: ToStep = ({ texts }, { data, ports }) => ({
  cards: [
    ...listIn(data, 'expressions').flatMap((expression, index): Card[] => {
      const to = ports.dynamic[index]
      return to === undefined
        ? []
        : [{ type: 'transition', when: texts.condition(expression), to }]
    }),
    ...goTo(ports.otherwise),
  ],
  leads: true,
})

const toRandom: ToStep = (_context, { ports }) => {
  const targets = ports.dynamic.filter((to) => to !== undefined)
  return {
    cards: targets.map(
      (to, index): Card =>
        index === targets.length - 1
          ? { type: 'goTo', to }
          : {
              type: 'transition',
              when: `Math.random() < 1 / ${targets.length - index}`,
              to,
            },
    ),
    leads: true,
  }
}

/** Variables are globals of the code. */
const toCode: ToStep = ({ bot, texts }, { data, ports, id }) => {
  const code = textIn(data, 'code')
  const foreign = findForeign(code)
  if (foreign !== null)
    return {
      cards: [toNoteCard('Not imported: code', [code]), ...goTo(ports.next)],
      result: 'omitted',
      note: `The code uses \`${foreign}\`, which bots do not have. Write it again, such as with \`axios\``,
    }
  const used = texts
    .names()
    .filter(
      (name) =>
        /^[A-Za-z_$][\w$]*$/.test(name) &&
        new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code),
    )
  const path = bot.variables.declare(`path:${id}`, 'path')
  const lines = [
    ...used.map((name) => `let ${name} = ${texts.variable(name)}`),
    `const chosenPath = await (async () => {\n${texts.toCode(code)}\n})()`,
    ...used.map((name) => `${texts.variable(name)} = ${name} ?? null`),
    `${path} = chosenPath ?? null`,
  ]
  const keys = objectsIn(data, 'paths').flatMap((one): Card[] => {
    const key = textIn(one, 'key')
    const to = ports.byKey.get(key)
    return to === undefined
      ? []
      : [
          {
            type: 'transition',
            when: `${path} === ${JSON.stringify(textIn(one, 'label'))} || ${path} === ${JSON.stringify(key)}`,
            to,
          },
        ]
  })
  return { cards: [{ type: 'code', code: lines.join('\n') }, ...keys] }
}

const toPathJs = (path: string) => `_.get(response.data, ${JSON.stringify(path)}) ?? null`

const toRequest: ToStep = ({ bot, texts }, { data, ports }) => {
  const url = textIn(data, 'url')
  if (url === '')
    return {
      cards: [
        toNoteCard('Not imported: an integration', [JSON.stringify(data, null, 2)]),
      ],
      result: 'omitted',
      note: 'Use an action of an integration with `callAction`',
    }
  const pairs = (name: string) =>
    objectsIn(data, name)
      .filter(({ key }) => textIn({ key }, 'key') !== '')
      .map((one): [string, Piece[]] => [
        textIn(one, 'key'),
        texts.toPieces(textIn(one, 'val') || textIn(one, 'value')),
      ])
  const content = textIn(data, 'content')
  const isForm =
    ['formData', 'urlEncoded'].includes(textIn(data, 'bodyType')) &&
    pairs('body').length > 0
  const failed = bot.variables.declare('request failed', 'request failed')
  const code = toRequestCode(bot, {
    method: textIn(data, 'method') || 'GET',
    url: texts.toPieces(url),
    headers: pairs('headers'),
    params: pairs('params'),
    ...((isForm || content !== '') && {
      body: {
        kind: isForm ? 'form' : 'json',
        pieces: texts.toPieces(content),
        fields: pairs('body'),
      },
    }),
    results: [
      `${failed} = response.status >= 400`,
      ...objectsIn(data, 'mappings').flatMap((mapping) => {
        const name = textIn(mapping, 'var')
        const path = textIn(mapping, 'path')
          .replace(/^response\.?/, '')
          .replace(/^\{response\}\.?/, '')
        return name === ''
          ? []
          : [
              `${texts.variable(name)} = ${path === '' ? 'response.data' : toPathJs(path)}`,
            ]
      }),
    ],
  })
  const cards: Card[] = [{ type: 'code', name: 'HTTP request', code }]
  return {
    cards: ports.fail
      ? [...cards, { type: 'transition', when: failed, to: ports.fail }]
      : cards,
  }
}

const toGenerative: ToStep = ({ bot, texts }, { data, ports }) => {
  bot.remark(modelRemark)
  const prompt = texts.template(textIn(data, 'prompt'))
  const system = texts.template(textIn(data, 'system') || textIn(data, 'instruction'))
  if (textIn(data, 'source') === 'knowledge_base') {
    const base = bot.addKnowledgeBase('knowledge', 'knowledge', [
      'documents of the knowledge base of Voiceflow',
    ])
    return {
      cards: [
        {
          type: 'answer',
          ...(prompt && { question: prompt }),
          knowledgeBases: [base],
          ...(system && { instructions: system }),
          ...(ports.fail && { onUnknown: ports.fail }),
        },
      ],
    }
  }
  return {
    cards: [
      {
        type: 'aiText',
        instructions:
          [system, prompt].filter(Boolean).join('\n') || 'Reply to the message.',
        ...(ports.fail && { onFail: ports.fail }),
      },
    ],
  }
}

const toComponent: ToStep = ({ bot, texts }, { data }) => {
  const name = bot.findFlow(textIn(data, 'diagramID'))
  if (!name)
    return { cards: [], result: 'omitted', note: 'The file does not have this component' }
  const pairs = (kind: string) =>
    listIn(data, 'variableMap', kind).flatMap((pair): Card[] => {
      const [from, to] = listIn({ pair }, 'pair')
      return typeof from === 'string' && typeof to === 'string' && from !== to
        ? [
            {
              type: 'set',
              variable: texts.variable(to),
              value: `{{ ${texts.variable(from)} }}`,
            },
          ]
        : []
    })
  return {
    cards: [...pairs('inputs'), { type: 'callFlow', flow: name }, ...pairs('outputs')],
  }
}

export const steps: Record<string, ToStep> = {
  text: ({ texts }, { data }) => ({
    cards: sendOne(
      objectsIn(data, 'texts').map((one) => texts.richPieces(valueIn(one, 'content'))),
    ),
  }),
  speak: toSpeech,
  message: toMessage,
  image: toImage,
  visual: toImage,
  stream: ({ texts }, { data }) => ({
    cards: [
      {
        type: 'send',
        message: {
          type: 'audio',
          audioUrl: texts.template(textIn(data, 'src') || textIn(data, 'audio')),
        },
      },
    ],
  }),
  url: ({ texts }, { data }) => ({
    cards: [{ type: 'send', message: texts.template(textIn(data, 'url')) }],
  }),
  card: toCards,
  cardV2: toCards,
  carousel: toCards,
  buttons: (context, step) => ({
    cards: toChoice(context, step, toButtons(step.data, step.ports), 'Please choose:'),
  }),
  interaction: toInteraction,
  prompt: ({ bot }, { id }) => ({
    cards: [
      {
        type: 'capture',
        kind: 'raw',
        into: bot.variables.declare(`answer:${id}`, 'answer'),
      },
    ],
  }),
  capture: toCapture,
  captureV2: toCapture,
  ai_capture: toAiCapture,
  set: toSet,
  setV2: toSet,
  ai_set: toAiSet,
  if: toConditions,
  ifV2: toConditions,
  random: toRandom,
  randomV2: toRandom,
  code: toCode,
  api: toRequest,
  integrations: toRequest,
  generative: toGenerative,
  flow: toComponent,
  component: toComponent,
  goToNode: (_context, { data }) => ({
    cards: goTo(textIn(data, 'nodeID') || undefined),
    leads: true,
  }),
  goToDomain: () => ({ cards: [] }),
  intent: () => ({ cards: [] }),
  command: () => ({ cards: [] }),
}

/** Returns what an intent or a command leads to. */
export const isEntrance = ({ type, data }: VoiceflowStep): boolean =>
  (type === 'intent' || type === 'command') &&
  (isObject(data.intent) || textIn(data, 'intent') !== '')
