// Blocks of Typebot that send, decide, compute or call. Each function returns cards.
import type { Card } from '../../document/card-shapes.ts'
import { findForeign } from '../expressions.ts'
import { toRequestCode } from '../http-code.ts'
import { toNoteCard } from '../note-card.ts'
import { isObject, isSet, numberIn, objectsIn, textIn, valueIn } from '../reading.ts'
import type { Step, TypebotContext } from './context.ts'
import { toModelCards } from './models.ts'
import type { Block } from './source.ts'
import { toPlainText } from './texts.ts'

type ToStep = (context: TypebotContext, block: Block) => Step

const send = (message: Extract<Card, { type: 'send' }>['message']): Step => ({
  cards: [{ type: 'send', message }],
})

function toVideo({ texts }: TypebotContext, { raw }: Block): Step {
  const [type, id, url] = ['type', 'id', 'url'].map((name) =>
    textIn(raw, 'content', name),
  ) as [string, string, string]
  if (type === 'youtube' && id)
    return send(`https://www.youtube.com/watch?v=${encodeURIComponent(id)}`)
  if (type === 'vimeo' && id) return send(`https://vimeo.com/${encodeURIComponent(id)}`)
  const isFile = type === 'url' || /\.(?:mp4|webm|mov)(?:$|\?)/i.test(url)
  return send(
    isFile ? { type: 'video', videoUrl: texts.template(url) } : texts.template(url),
  )
}

function toLocation({ texts }: TypebotContext, { raw }: Block): Step {
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => {
    const text = textIn(raw, 'content', name)
    return numberIn(raw, 'content', name) ?? texts.template(text)
  })
  return send({ type: 'location', latitude, longitude })
}

const toItems: ToStep = ({ texts }, { items, target }) => ({
  cards: [
    ...items.flatMap(({ raw, target: to }): Card[] =>
      to === undefined
        ? []
        : [{ type: 'transition', when: texts.condition(valueIn(raw, 'content')), to }],
    ),
    ...(target === undefined ? [] : [{ type: 'goTo' as const, to: target }]),
  ],
})

function toTest(_context: TypebotContext, { items, options }: Block): Step {
  const percent = numberIn(options, 'aPercent') ?? 50
  const [a, b] = ['a', 'b'].map(
    (path) => items.find(({ raw }) => textIn(raw, 'path') === path)?.target,
  )
  return {
    cards: [
      ...(a === undefined
        ? []
        : [
            {
              type: 'transition' as const,
              when: `Math.random() * 100 < ${percent}`,
              to: a,
            },
          ]),
      ...(b === undefined ? [] : [{ type: 'goTo' as const, to: b }]),
    ],
  }
}

function toScript({ texts }: TypebotContext, { options, raw }: Block): Step {
  const code = textIn(options, 'content')
  const name = textIn(options, 'name') || 'Code'
  const foreign = findForeign(code)
  const isInBrowser = foreign !== null || isSet(options, 'shouldExecuteInParentContext')
  if (!isInBrowser)
    return {
      cards: [{ type: 'code', name: name.slice(0, 200), code: texts.toCode(code) }],
    }
  const used = foreign ? `\`${foreign}\`` : 'the page'
  return {
    cards: [toNoteCard(`Not imported: code for browsers`, [code || JSON.stringify(raw)])],
    result: 'omitted',
    note: `The code uses ${used}, which the server does not have. Write it again, or remove it`,
  }
}

/** Longer waits would reach the time limit of code. */
const maxWait = 8

function toWait({ texts }: TypebotContext, { options }: Block): Step {
  const seconds = numberIn(options, 'secondsToWaitFor')
  const js =
    seconds === undefined
      ? `Number(${texts.js(textIn(options, 'secondsToWaitFor'))}) || 0`
      : String(seconds)
  const code = `await new Promise((resolve) => setTimeout(resolve, Math.min(${maxWait}, ${js}) * 1000))`
  const isLong = seconds !== undefined && seconds > maxWait
  return {
    cards: [{ type: 'code', name: 'Wait', code }],
    ...(isLong && {
      result: 'changed' as const,
      note: `The bot waits ${maxWait} seconds`,
    }),
  }
}

function toSetVariable({ texts, bot }: TypebotContext, { options }: Block): Step {
  const variable = texts.variable(textIn(options, 'variableId'))
  if (!variable) return { cards: [], note: 'It names no variable', result: 'changed' }
  const type = textIn(options, 'type') || 'Custom'
  const set = (value: unknown): Step => ({ cards: [{ type: 'set', variable, value }] })
  if (type === 'Custom') {
    const value = texts.toValue(
      textIn(options, 'expressionToEvaluate'),
      isSet(options, 'isCode'),
    )
    if ('value' in value) return set(value.value)
    const code = `${variable} = (await (async () => {\n${value.body}\n})()) ?? null`
    const foreign = findForeign(value.body)
    if (foreign === null) return { cards: [{ type: 'code', name: 'Set variable', code }] }
    return {
      cards: [toNoteCard(`Not imported: the value of ${variable}`, [value.body])],
      result: 'omitted',
      note: `The code uses \`${foreign}\`, which bots do not have. Write it again`,
    }
  }
  if (type === 'Append value(s)')
    return set(`{{ [].concat(${variable} ?? [], ${texts.js(textIn(options, 'item'))}) }}`)
  if (type === 'Pop' || type === 'Shift') {
    const saved = texts.variable(textIn(options, 'saveItemInVariableId'))
    const [item, rest] =
      type === 'Pop' ? ['.at(-1)', '.slice(0, -1)'] : ['[0]', '.slice(1)']
    const list = `[].concat(${variable} ?? [])`
    return {
      cards: [
        ...(saved
          ? [
              {
                type: 'set' as const,
                variable: saved,
                value: `{{ ${list}${item} ?? null }}`,
              },
            ]
          : []),
        { type: 'set', variable, value: `{{ ${list}${rest} }}` },
      ],
    }
  }
  if (type === 'Map item with same index') {
    const [item, from, to] = [
      'baseItemVariableId',
      'baseListVariableId',
      'targetListVariableId',
    ].map((name) => texts.variable(textIn(options, 'mapListItemParams', name)) ?? 'null')
    return set(`{{ (${to} ?? [])[(${from} ?? []).indexOf(${item})] ?? null }}`)
  }
  if (Object.hasOwn(values, type)) return set(values[type])
  bot.remark(`The value "${type}" of variables is not known.`)
  return {
    cards: [],
    result: 'omitted',
    note: `The value "${type}" does not exist here. Set it with a \`code\` card`,
  }
}

/** Values that Typebot computes. */
const values: Record<string, unknown> = {
  Empty: null,
  Now: '{{ new Date().toISOString() }}',
  Today: '{{ new Date().toISOString() }}',
  Yesterday: '{{ luxon.DateTime.now().minus({ days: 1 }).toISO() }}',
  Tomorrow: '{{ luxon.DateTime.now().plus({ days: 1 }).toISO() }}',
  'Moment of the day':
    '{{ new Date().getHours() < 6 ? "night" : new Date().getHours() < 12 ? "morning" : ' +
    'new Date().getHours() < 18 ? "afternoon" : "evening" }}',
  'Environment name': '{{ event.integration ?? "web" }}',
  'User ID': '{{ event.userId ?? null }}',
  'Result ID': '{{ event.conversationId ?? null }}',
  'Random ID': '{{ crypto.randomUUID() }}',
  'Phone number': '{{ event.tags?.user?.phone ?? null }}',
  'Contact name': '{{ event.tags?.user?.name ?? null }}',
  Transcript: '{{ event.preview }}',
}

function toRequest({ bot, texts }: TypebotContext, { options, raw }: Block): Step {
  const webhook = isObject(valueIn(options, 'webhook'))
    ? valueIn(options, 'webhook')
    : valueIn(raw, 'webhook')
  const url = textIn(webhook, 'url')
  if (url === '')
    return {
      cards: [
        toNoteCard('Not imported: a request without a URL', [
          JSON.stringify(webhook ?? {}, null, 2),
        ]),
      ],
      result: 'omitted',
      note: 'The file has no URL: it stays on the server of the builder. Write the request with `axios`',
    }
  const fields = (name: string) =>
    objectsIn(webhook, name).map((one): [string, ReturnType<typeof texts.toPieces>] => [
      textIn(one, 'key'),
      texts.toPieces(textIn(one, 'value')),
    ])
  const body = textIn(webhook, 'body')
  const results = objectsIn(options, 'responseVariableMapping').flatMap((mapping) => {
    const path = texts.variable(textIn(mapping, 'variableId'))
    const found = JSON.stringify(textIn(mapping, 'bodyPath') || 'data')
    return path
      ? [
          `${path} = _.get({ data: response.data, statusCode: response.status }, ${found}) ?? null`,
        ]
      : []
  })
  const code = toRequestCode(bot, {
    method: textIn(webhook, 'method') || 'POST',
    url: texts.toPieces(url),
    headers: fields('headers').filter(([name]) => name !== ''),
    params: fields('queryParams').filter(([name]) => name !== ''),
    ...(body && { body: { kind: 'json', pieces: texts.toPieces(body) } }),
    results,
    timeoutSeconds: numberIn(options, 'timeout'),
  })
  return { cards: [{ type: 'code', name: 'HTTP request', code }] }
}

function toLink({ knows }: TypebotContext, { options }: Block): Step {
  const group = textIn(options, 'groupId')
  if (textIn(options, 'typebotId') === 'current' && knows(group))
    return { cards: [{ type: 'goTo', to: group }] }
  const id = textIn(options, 'typebotId')
  return {
    cards: [
      toNoteCard('Not imported: a link to another bot', [
        `Typebot ${id}`,
        `Group ${group || 'start'}`,
      ]),
    ],
    result: 'omitted',
    note: 'The file does not contain the other bot. Import it too, and call its flow with `callFlow`',
  }
}

function toJump(_context: TypebotContext, { options }: Block): Step {
  const to = textIn(options, 'blockId') || textIn(options, 'groupId')
  return { cards: to ? [{ type: 'goTo', to }] : [] }
}

/** Its edge leads back until the rounds are over. */
function toLoop({ bot }: TypebotContext, { id, options, target }: Block): Step {
  const rounds = numberIn(options, 'iterations') ?? 3
  const counter = bot.variables.declare(`loop:${id}`, 'loop round')
  if (target === undefined) return { cards: [] }
  return {
    cards: [
      { type: 'set', variable: counter, value: `{{ (${counter} ?? 0) + 1 }}` },
      { type: 'transition', when: `${counter} < ${rounds}`, to: target },
      { type: 'set', variable: counter, value: 0 },
    ],
  }
}

export const steps: Record<string, ToStep> = {
  text: ({ texts }, { raw }) =>
    send(texts.template(toPlainText(valueIn(raw, 'content')))),
  image: ({ texts }, { raw }) =>
    send({ type: 'image', imageUrl: texts.template(textIn(raw, 'content', 'url')) }),
  audio: ({ texts }, { raw }) =>
    send({ type: 'audio', audioUrl: texts.template(textIn(raw, 'content', 'url')) }),
  embed: ({ texts }, { raw }) => send(texts.template(textIn(raw, 'content', 'url'))),
  video: toVideo,
  location: toLocation,
  Redirect: ({ texts }, { options }) => send(texts.template(textIn(options, 'url'))),
  Condition: toItems,
  'AB test': toTest,
  Code: toScript,
  Wait: toWait,
  'Set variable': toSetVariable,
  Webhook: toRequest,
  Zapier: toRequest,
  'Make.com': toRequest,
  Pabbly: toRequest,
  'Typebot link': toLink,
  Jump: toJump,
  Return: () => ({ cards: [] }),
  Loop: toLoop,
  webhook: () => ({ cards: [{ type: 'waitForEvent', event: 'webhook' }] }),
  Chatwoot: () => ({ cards: [{ type: 'handoff', reason: 'Chatwoot' }] }),
  OpenAI: toModelCards,
}
