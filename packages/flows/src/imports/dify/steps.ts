// Nodes of Dify without a model. Each function returns cards, and reads the edges by the graph.
import type { Card } from '../../document/card-shapes.ts'
import { findForeign } from '../expressions.ts'
import { toRequestCode } from '../http-code.ts'
import { toNoteCard } from '../note-card.ts'
import { toTemplate } from '../pieces.ts'
import {
  isObject,
  isSet,
  type Json,
  listIn,
  numberIn,
  objectsIn,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'
import type { DifyContext, Step } from './context.ts'
import { jinjaToPieces } from './jinja.ts'

export function toConditionStep(
  { texts, graph }: DifyContext,
  id: string,
  data: Json,
): Step {
  const cases = objectsIn(data, 'cases')
  // Before version 0.1.2 a node had one case.
  const all = cases.length > 0 ? cases : [{ ...data, case_id: 'true' }]
  return {
    cards: all.flatMap((one): Card[] => {
      const handle = textIn(one, 'case_id') || textIn(one, 'id')
      if (!graph.handles(id).includes(handle)) return []
      const when = texts.conditions(
        objectsIn(one, 'conditions'),
        textIn(one, 'logical_operator'),
      )
      return [{ type: 'transition', when, to: graph.target(id, handle) }]
    }),
    next: graph.next(id, 'false'),
  }
}

export function toCodeStep({ texts }: DifyContext, id: string, data: Json): Step {
  const code = textIn(data, 'code')
  const inputs = texts.inputs(data)
  const outputs = isObject(valueIn(data, 'outputs'))
    ? Object.keys(data.outputs as Json)
    : objectsIn(data, 'outputs').map((one) => textIn(one, 'variable'))
  const isJavaScript = textIn(data, 'code_language') === 'javascript'
  const foreign = isJavaScript ? findForeign(code) : null
  const given = `{ ${inputs.map(([name, js]) => `${JSON.stringify(name)}: ${js}`).join(', ')} }`
  const results = outputs.map(
    (name) => `${texts.output(id, name)} = outputs?.[${JSON.stringify(name)}] ?? null`,
  )
  if (isJavaScript && foreign === null)
    return {
      cards: [
        {
          type: 'code',
          code: [
            `const main = await (async () => {\n${code}\nreturn main\n})()`,
            `const outputs = await main(${given})`,
            ...results,
          ].join('\n'),
        },
      ],
    }
  const reason = isJavaScript ? `The code uses \`${foreign}\`` : 'The code is Python'
  return {
    cards: [
      toNoteCard(`Not imported: code`, [
        `${reason}. Write it in JavaScript:`,
        `const inputs = ${given}`,
        ...results,
        '',
        code,
      ]),
    ],
    result: 'omitted',
    note: `${reason}, which cannot run here. The node has its source as a comment, and how to begin`,
  }
}

export function toTemplateStep({ texts }: DifyContext, id: string, data: Json): Step {
  const template = textIn(data, 'template')
  const pieces = jinjaToPieces(template, texts.inputs(data))
  const variable = texts.output(id, 'output')
  if (pieces) return { cards: [{ type: 'set', variable, value: toTemplate(pieces) }] }
  return {
    cards: [
      toNoteCard(`Not imported: a template`, [
        `Set ${variable} with a \`code\` card:`,
        template,
      ]),
    ],
    result: 'omitted',
    note: 'The template of Jinja2 has statements. Write it with a `code` card in JavaScript',
  }
}

/** `name: value` in each line. */
const toLines = (text: string): [string, string][] =>
  text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(':')
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : []
  })

export function toRequestStep({ bot, texts }: DifyContext, id: string, data: Json): Step {
  const fields = (name: string) =>
    (typeof data[name] === 'string'
      ? toLines(textIn(data, name))
      : objectsIn(data, name).map((one): [string, string] => [
          textIn(one, 'key'),
          textIn(one, 'value'),
        ])
    ).map(([key, value]): [string, ReturnType<typeof texts.toPieces>] => [
      key,
      texts.toPieces(value),
    ])
  const [body, status, headers] = ['body', 'status_code', 'headers'].map((name) =>
    texts.output(id, name),
  )
  const code = toRequestCode(bot, {
    method: textIn(data, 'method') || 'get',
    url: texts.toPieces(textIn(data, 'url')),
    headers: [...fields('headers'), ...toAuthorization(texts, data)],
    params: fields('params'),
    ...toBody(texts, valueIn(data, 'body')),
    results: [
      `${body} = typeof response.data === 'string' ? response.data : JSON.stringify(response.data)`,
      `${status} = response.status`,
      `${headers} = { ...response.headers }`,
    ],
    timeoutSeconds: numberIn(data, 'timeout', 'read'),
  })
  return { cards: [{ type: 'code', name: 'HTTP request', code }] }
}

const schemes: Record<string, string> = { bearer: 'Bearer ', basic: 'Basic ' }

function toAuthorization(
  texts: DifyContext['texts'],
  data: Json,
): [string, ReturnType<DifyContext['texts']['toPieces']>][] {
  const config = valueIn(data, 'authorization', 'config')
  const key = textIn(config, 'api_key')
  if (textIn(data, 'authorization', 'type') !== 'api-key' || key === '') return []
  const type = textIn(config, 'type')
  const scheme = Object.hasOwn(schemes, type) ? schemes[type]! : ''
  const name =
    type === 'custom' ? textIn(config, 'header') || 'Authorization' : 'Authorization'
  return [[name, texts.toPieces(scheme + key)]]
}

function toBody(texts: DifyContext['texts'], body: unknown) {
  const type = textIn(body, 'type')
  const rows = objectsIn(body, 'data')
  const text =
    rows.length > 0
      ? rows.map((one) => textIn(one, 'value')).join('')
      : textIn(body, 'data')
  if (type === '' || type === 'none') return {}
  if (type === 'json')
    return { body: { kind: 'json' as const, pieces: texts.toPieces(text) } }
  if (type !== 'form-data' && type !== 'x-www-form-urlencoded')
    return { body: { kind: 'text' as const, pieces: texts.toPieces(text) } }
  const pairs =
    rows.length > 0
      ? rows.map((one): [string, string] => [textIn(one, 'key'), textIn(one, 'value')])
      : toLines(text)
  const fields = pairs.map(
    ([name, value]): [string, ReturnType<typeof texts.toPieces>] => [
      name,
      texts.toPieces(value),
    ],
  )
  return { body: { kind: 'form' as const, pieces: [], fields } }
}

export function toKnowledgeStep(
  { bot, texts }: DifyContext,
  id: string,
  data: Json,
): Step {
  const title = textIn(data, 'title') || 'Knowledge'
  const ids = textsIn(data, 'dataset_ids')
  const bases = ids.map((dataset, index) =>
    bot.addKnowledgeBase(dataset, ids.length > 1 ? `${title} ${index + 1}` : title, [
      `documents of the knowledge "${title}" of Dify`,
    ]),
  )
  const limit = numberIn(data, 'multiple_retrieval_config', 'top_k')
  const minScore = isSet(data, 'multiple_retrieval_config', 'score_threshold_enabled')
    ? numberIn(data, 'multiple_retrieval_config', 'score_threshold')
    : undefined
  const query =
    texts.reference(textsIn(data, 'query_variable_selector')) ?? 'event.preview'
  return {
    cards: [
      {
        type: 'queryKnowledge',
        query: `{{ ${query} }}`,
        ...(bases.length > 0 && { knowledgeBases: bases }),
        ...(limit !== undefined && {
          limit: Math.max(1, Math.min(50, Math.round(limit))),
        }),
        ...(minScore !== undefined && { minScore: Math.max(0, Math.min(1, minScore)) }),
        into: texts.output(id, 'result'),
      },
    ],
  }
}

const changes: Record<string, (old: string, value: string) => string> = {
  'over-write': (_old, value) => value,
  set: (_old, value) => value,
  clear: () => 'null',
  append: (old, value) => `[].concat(${old} ?? [], [${value}])`,
  extend: (old, value) => `[].concat(${old} ?? [], ${value} ?? [])`,
  'remove-first': (old) => `(${old} ?? []).slice(1)`,
  'remove-last': (old) => `(${old} ?? []).slice(0, -1)`,
  '+=': (old, value) => `Number(${old}) + Number(${value})`,
  '-=': (old, value) => `Number(${old}) - Number(${value})`,
  '*=': (old, value) => `Number(${old}) * Number(${value})`,
  '/=': (old, value) => `Number(${old}) / Number(${value})`,
}

export function toAssignment({ texts }: DifyContext, _id: string, data: Json): Step {
  const items = objectsIn(data, 'items')
  // Version 1 assigned one variable.
  const all =
    items.length > 0
      ? items
      : [
          {
            variable_selector: data.assigned_variable_selector,
            value: data.input_variable_selector,
            operation: data.write_mode,
            input_type: 'variable',
          },
        ]
  return {
    cards: all.flatMap((item): Card[] => {
      const variable = texts.reference(textsIn(item, 'variable_selector'))
      const operation = textIn(item, 'operation')
      if (
        variable === null ||
        !/^conversation\.\w+$/.test(variable) ||
        !Object.hasOwn(changes, operation)
      )
        return []
      const isVariable = textIn(item, 'input_type') === 'variable'
      const value = texts.value(valueIn(item, 'value'), isVariable)
      return [
        { type: 'set', variable, value: `{{ ${changes[operation]!(variable, value)} }}` },
      ]
    }),
  }
}

/** Branches that did not run have no value, so outputs of an earlier run must not remain. */
export function toAggregation({ texts }: DifyContext, id: string, data: Json): Step {
  const first = (selectors: unknown[]) => {
    const found = selectors.flatMap(
      (one) => texts.reference(textsIn({ one }, 'one')) ?? [],
    )
    for (const js of found) if (/^conversation\.\w+$/.test(js)) texts.resets.add(js)
    return found.join(' ?? ') || 'null'
  }
  const groups = objectsIn(data, 'advanced_settings', 'groups')
  if (!isSet(data, 'advanced_settings', 'group_enabled') || groups.length === 0)
    return {
      cards: [
        {
          type: 'set',
          variable: texts.output(id, 'output'),
          value: `{{ ${first(listIn(data, 'variables'))} }}`,
        },
      ],
    }
  return {
    cards: groups.map(
      (group): Card => ({
        type: 'set',
        variable: texts.output(id, textIn(group, 'group_name')),
        value: `{{ ({ output: ${first(listIn(group, 'variables'))} }) }}`,
      }),
    ),
  }
}

export function toListStep({ texts }: DifyContext, id: string, data: Json): Step {
  const list = `[].concat(${texts.reference(textsIn(data, 'variable')) ?? '[]'} ?? [])`
  const condition = texts.conditions(
    objectsIn(data, 'filter_by', 'conditions'),
    'and',
    (one) => toMember('item', textIn(one, 'key')),
  )
  const filtered = isSet(data, 'filter_by', 'enabled')
    ? `${list}.filter((item) => ${condition})`
    : list
  const key = textIn(data, 'order_by', 'key')
  const direction = textIn(data, 'order_by', 'value') === 'desc' ? 'desc' : 'asc'
  const sorted = isSet(data, 'order_by', 'enabled')
    ? `_.orderBy(${filtered}, (item) => ${toMember('item', key)}, "${direction}")`
    : filtered
  const size = isSet(data, 'limit', 'enabled')
    ? (numberIn(data, 'limit', 'size') ?? 10)
    : undefined
  const result = texts.output(id, 'result')
  return {
    cards: [
      {
        type: 'set',
        variable: result,
        value: `{{ ${sorted}${size === undefined ? '' : `.slice(0, ${size})`} }}`,
      },
      {
        type: 'set',
        variable: texts.output(id, 'first_record'),
        value: `{{ ${result}[0] ?? null }}`,
      },
      {
        type: 'set',
        variable: texts.output(id, 'last_record'),
        value: `{{ ${result}.at(-1) ?? null }}`,
      },
    ],
  }
}

const toMember = (item: string, key: string) =>
  key === '' ? item : `${item}?.[${JSON.stringify(key)}]`

export function toHumanStep({ texts, graph }: DifyContext, id: string, data: Json): Step {
  const actions = objectsIn(data, 'user_actions')
  const into = texts.output(id, 'action')
  const question = texts.template(textIn(data, 'form_content') || 'Please choose:')
  if (actions.length === 0)
    return { cards: [{ type: 'capture', kind: 'raw', question, into }] }
  return {
    cards: [
      {
        type: 'capture',
        kind: 'singleChoice',
        question,
        options: actions.map((one) => {
          const text = toTemplate([textIn(one, 'title') || textIn(one, 'id')])
          return { label: text, value: toTemplate([textIn(one, 'id')]) }
        }),
        into,
      },
      ...actions.flatMap((one): Card[] => {
        const handle = textIn(one, 'id')
        if (!graph.handles(id).includes(handle)) return []
        return [
          {
            type: 'transition',
            when: `${into} === ${JSON.stringify(handle)}`,
            to: graph.target(id, handle),
          },
        ]
      }),
    ],
  }
}
