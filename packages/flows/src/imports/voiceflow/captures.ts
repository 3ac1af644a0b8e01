// Steps of Voiceflow that ask for something.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import { toTemplate } from '../pieces.ts'
import { listIn, objectsIn, textIn, textsIn, valueIn } from '../reading.ts'
import type { VoiceflowContext } from './context.ts'
import type { ToStep } from './step.ts'

const kinds: Record<string, CaptureCard['kind']> = {
  email: 'email',
  number: 'number',
  age: 'number',
  phonenumber: 'phone',
  datetime: 'date',
  date: 'date',
  url: 'url',
}

/** Types of entities are `VF.EMAIL`. */
function toEntityCapture(
  { texts, file }: VoiceflowContext,
  id: string,
  slot: unknown,
): Card {
  const slots = [
    ...objectsIn(file, 'version', 'platformData', 'slots'),
    ...objectsIn(file, 'entities'),
  ]
  const found = slots.find((one) => [textIn(one, 'key'), textIn(one, 'id')].includes(id))
  const type = (textIn(found, 'type', 'value') || textIn(found, 'classifier'))
    .replace(/^VF\./i, '')
    .toLowerCase()
  const options = textsIn(found, 'inputs').flatMap((line) => {
    const [label = '', ...synonyms] = line
      .split(',')
      .map((word) => toTemplate([word.trim()]))
    return label === ''
      ? []
      : [{ label, value: label, ...(synonyms.length > 0 && { synonyms }) }]
  })
  const prompt = listIn(slot, 'dialog', 'prompt')[0]
  const question =
    texts.rich(valueIn(prompt, 'content')) || texts.template(textIn(prompt, 'text'))
  const otherwise = options.length > 0 ? 'singleChoice' : 'raw'
  const kind = Object.hasOwn(kinds, type) ? kinds[type]! : otherwise
  return {
    type: 'capture',
    kind,
    ...(question && { question }),
    into: texts.variable(id),
    ...(kind === 'singleChoice' && { options: options.slice(0, 1000) }),
  }
}

export const toCapture: ToStep = (context, { data, ports, id }) => {
  const { texts, bot } = context
  const capture = valueIn(data, 'capture')
  const slots = objectsIn(capture, 'intent', 'slots')
  const old = textIn(data, 'variable')
  const cards =
    slots.length > 0
      ? slots.map((slot) => toEntityCapture(context, textIn(slot, 'id'), slot))
      : [
          {
            type: 'capture' as const,
            kind: 'raw' as const,
            into:
              textIn(capture, 'variable') || old
                ? texts.variable(textIn(capture, 'variable') || old)
                : bot.variables.declare(`answer:${id}`, 'answer'),
          },
        ]
  return {
    cards: cards.map((card) =>
      ports.otherwise ? { ...card, onFail: ports.otherwise } : card,
    ),
  }
}

export const toAiCapture: ToStep = ({ bot, texts }, { data, id }) => {
  const into = bot.variables.declare(`entities:${id}`, 'entities')
  const entities = textsIn(data, 'entities').map((entity) => texts.variable(entity))
  const names = entities.map((path) => path.replace(/^.*\./, ''))
  return {
    cards: [
      {
        type: 'capture',
        kind: 'raw',
        into: bot.variables.declare(`answer:${id}`, 'answer'),
      },
      {
        type: 'aiTask',
        instructions: texts.template(
          ['Extract the values from the message.', ...textsIn(data, 'rules')].join('\n'),
        ),
        output: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        },
        into,
      },
      ...entities.map(
        (variable, index): Card => ({
          type: 'set',
          variable,
          value: `{{ ${into}?.[${JSON.stringify(names[index])}] ?? null }}`,
        }),
      ),
    ],
  }
}
