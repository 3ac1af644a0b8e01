// Exports of each builder as documents: the parts that are carried, the report, and files of attackers.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  botpressFiles,
  type ExampleExport,
  importExamples,
  toTarball,
  toZip,
  typebotFile,
} from '../../test/import-examples.ts'
import { checkDocument } from '../check/check.ts'
import type { FlowDocument } from '../document/document.ts'
import { compileScripts } from '../document/scripts.ts'
import { importBot } from './import-bot.ts'
import { ImportError } from './import-error.ts'
import { type ImportReport, toReportText } from './report.ts'
import { supportedBuilders } from './supported-builders.ts'

const convert = ({ fileName, bytes }: ExampleExport) => importBot(fileName, bytes)
const fromText = (fileName: string, text: string) =>
  importBot(fileName, new TextEncoder().encode(text))
const fromJson = (value: unknown) => fromText('bot.json', JSON.stringify(value))

const findProblems = (document: FlowDocument) => {
  checkDocument(structuredClone(document))
  return compileScripts(document).problems
}
const listCards = (document: FlowDocument) =>
  Object.values(document.flows).flatMap(({ nodes }) =>
    Object.values(nodes).flatMap(({ cards = [] }) => cards),
  )
const listEntries = ({ entries }: ImportReport, kind: string) =>
  entries.filter((entry) => entry.kind === kind)

describe.each(Object.keys(importExamples))('%s', (name) => {
  const { document, report } = convert(importExamples[name]!)

  test('has no problem, and keeps every part in the report', () => {
    expect(findProblems(document)).toEqual([])
    const { carried, changed, omitted } = report.counts
    expect(carried + changed + omitted).toBe(report.entries.length)
    expect(carried).toBeGreaterThan(0)
    for (const entry of report.entries)
      if (entry.result !== 'carried') expect(entry.note).toMatch(/\w/)
  })

  test('places its entries at nodes that exist', () => {
    for (const { place } of report.entries) {
      if (place === undefined) continue
      const [flow, node] = place.split('/') as [string, string]
      expect(document.flows[flow]?.nodes[node]).toBeDefined()
    }
  })
})

test('the report names each kind that the example has, as the documentation does', () => {
  const found = Object.values(importExamples).flatMap(
    (example) => convert(example).report.entries,
  )
  for (const { name, kinds } of supportedBuilders)
    for (const kind of Object.keys(kinds))
      expect([name, kind, found.some((entry) => entry.kind === kind)]).toEqual([
        name,
        kind,
        true,
      ])
})

describe('Typebot', () => {
  const { document, report } = convert(importExamples.typebot!)

  test('keeps texts, variables and the text that looks like ours', () => {
    const texts = listCards(document).flatMap((card) =>
      card.type === 'send' && typeof card.message === 'string' ? [card.message] : [],
    )
    expect(texts).toContain(
      'Hello {{ conversation.name }}, \\{{ nobody }} and {{ "@" }}user.name',
    )
  })

  test('makes captures with the question before them, and transitions of choices', () => {
    const number = listCards(document).find(
      (card) => card.type === 'capture' && card.kind === 'number' && card.min === 1,
    )
    expect(number).toMatchObject({
      question: expect.stringMatching(/^Question \d+$/),
      into: 'conversation.lead_score',
      max: '{{ conversation.lead_score }}',
    })
    const whens = listCards(document).flatMap((card) =>
      card.type === 'transition' ? [card.when] : [],
    )
    expect(whens).toContain('String(conversation.name ?? "") === "Yes"')
    expect(
      whens.some((when) => when.startsWith('(Number(conversation.name) > 30)')),
    ).toBe(true)
  })

  test('computes values as expressions, as text, and as code', () => {
    const values = listCards(document).flatMap((card) =>
      card.type === 'set' ? [card.value] : [],
    )
    expect(values).toContain('{{ conversation.lead_score + 10 }}')
    expect(values).toContain(0)
    expect(values).toContain('Hello')
    expect(values).toContain('{{ conversation.name.toUpperCase() }}')
    const code = listCards(document).flatMap((card) =>
      card.type === 'code' ? [String(card.code)] : [],
    )
    expect(code.join('\n')).toContain('return conversation.name + 1')
  })

  test('sends requests with axios, with the secret as a value of the configuration', () => {
    const code = listCards(document).flatMap((card) =>
      card.type === 'code' ? [String(card.code)] : [],
    )
    const request = code.find((one) => one.includes('api.example.org'))!
    expect(request).toContain('"Authorization": "Bearer " + env.authorization')
    expect(request).toContain(
      '{ "name": conversation.name, "score": conversation.lead_score }',
    )
    expect(request).toContain(
      '_.get({ data: response.data, statusCode: response.status }, "data.items[0].id")',
    )
    expect(JSON.stringify([document, report])).not.toContain('sk-abcdef')
    expect(report.secrets).toContain('Authorization')
    expect(document.variables?.configuration).toEqual({
      authorization: { type: 'string', secret: true },
    })
  })

  test('keeps code for browsers as a comment, and says so', () => {
    const [, omitted] = listEntries(report, 'Code')
    expect(omitted).toMatchObject({
      result: 'omitted',
      note: expect.stringContaining('`window`'),
    })
    const notes = listCards(document).flatMap((card) =>
      card.type === 'code' ? [String(card.code)] : [],
    )
    expect(notes).toContain(
      '// Not imported: code for browsers\n// window.location = "/"',
    )
  })

  test('keeps positions', () => {
    expect(document.flows.main!.nodes['group-0']!.position).toEqual({ x: 10, y: -20 })
  })

  test('reads the files of older versions', () => {
    const old = convert(importExamples.typebotOld!).document.flows.main!.nodes
    expect(old.ask).toMatchObject({
      type: 'start',
      cards: [
        {
          type: 'capture',
          kind: 'raw',
          question: 'Your name?',
          into: 'conversation.name',
        },
        { type: 'send', message: 'Hi {{ conversation.name }}' },
      ],
    })
    const oldest = convert(importExamples.typebotOldest!).document.flows.main!.nodes
    expect(oldest.age!.cards).toMatchObject([
      { type: 'capture', kind: 'number' },
      { type: 'transition', when: 'Number(conversation.age) > 17', to: 'adult' },
    ])
  })
})

/** A bot of Typebot with one block. */
const withBlock = (type: string, options: object, before: object[] = []) => {
  const block = { id: 'b', type, options }
  const groups = [
    {
      id: 'g',
      title: 'Ask',
      graphCoordinates: { x: 0, y: 0 },
      blocks: [...before, block],
    },
  ]
  const file = {
    version: '6',
    name: 'Shop',
    groups,
    edges: [],
    variables: [],
    events: [],
  }
  const { document, report } = fromText('shop.json', JSON.stringify(file))
  return { cards: document.flows.main!.nodes.ask!.cards!, report }
}
const bubble = {
  id: 't',
  type: 'text',
  content: { richText: [{ children: [{ text: 'How was it?' }] }] },
}

describe('inputs of Typebot', () => {
  test('asks a rating with the buttons of its range', () => {
    const scale = { length: 5, labels: { left: 'Bad', right: 'Good' } }
    const [asked] = withBlock('rating input', scale, [bubble]).cards
    expect(asked).toMatchObject({
      type: 'capture',
      kind: 'singleChoice',
      question: 'How was it?',
      options: [
        { label: '1 Bad', value: '1', synonyms: ['1'] },
        ...['2', '3', '4'].map((value) => ({ label: value, value })),
        { label: '5 Good', value: '5' },
      ],
    })
    const [stars] = withBlock('rating input', { buttonType: 'Icons', length: 3 }).cards
    expect(stars).toMatchObject({
      question: 'Please choose a rating:',
      options: [
        { label: '★☆☆', value: '1', synonyms: ['1'] },
        { label: '★★☆', value: '2', synonyms: ['2'] },
        { label: '★★★', value: '3', synonyms: ['3'] },
      ],
    })
    const [net] = withBlock('rating input', { startsAt: 0 }).cards as {
      options: unknown[]
    }[]
    expect(net!.options).toHaveLength(11)
    const [odd] = withBlock('rating input', { length: 1e9, startsAt: -1 })
      .cards as (typeof net)[]
    expect(odd!.options).toHaveLength(10)
  })

  test.each([
    ['email input', { labels: { placeholder: 'Your mail' } }, 'Your mail'],
    ['email input', {}, 'Type your email...'],
    ['date input', { labels: { from: 'When?' } }, 'When?'],
    ['file input', {}, 'Please send a file.'],
    ['choice input', {}, undefined],
    ['text input', {}, undefined],
    ['text input', { labels: { placeholder: 'Your name' } }, 'Your name'],
  ])(
    'asks by the field itself without a text before it: %s %j',
    (type, options, question) => {
      expect((withBlock(type, options).cards[0] as { question?: string }).question).toBe(
        question,
      )
      expect(withBlock(type, options, [bubble]).cards[0]).toMatchObject({
        question: 'How was it?',
      })
    },
  )

  test('says in the report which parts need a language model', () => {
    const { entries } = withBlock('OpenAI', {
      task: 'Create chat completion',
      messages: [],
    }).report
    expect(entries.find(({ kind }) => kind === 'OpenAI')?.note).toContain(
      'needs a language model',
    )
    const others = withBlock('email input', {}).report.entries
    expect(JSON.stringify(others)).not.toContain('language model')
  })
})

/** Boxes as the page Flows shows those without ways out. */
function listOverlaps(
  nodes: Record<string, { cards?: unknown[]; position?: { x: number; y: number } }>,
) {
  const boxes = Object.values(nodes).map(({ cards = [], position }) => ({
    ...position!,
    height: 46 + 48 * cards.length,
  }))
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          Math.abs(one.x - other.x) < 250 &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  )
}

test.each(Object.entries(importExamples))(
  'places no step of %s over another',
  (_name, example) => {
    for (const { nodes } of Object.values(convert(example).document.flows)) {
      const placed = Object.values(nodes).filter(({ position }) => position)
      expect([0, Object.keys(nodes).length]).toContain(placed.length)
      if (placed.length > 0) expect(listOverlaps(nodes)).toEqual([])
    }
  },
)

test('keeps positions that do not overlap, and moves others down in their column', () => {
  const bubbles = Array.from({ length: 5 }, (_, index) => ({
    ...bubble,
    id: `t${index}`,
  }))
  const groups = [
    [0, 0],
    [20, 100],
    [600, 100],
  ].map(([x, y], index) => ({
    id: `g${index}`,
    title: `Group ${index}`,
    graphCoordinates: { x, y },
    blocks: bubbles.map((one) => ({ ...one, id: `${one.id}-${index}` })),
  }))
  const file = {
    version: '6',
    name: 'Shop',
    groups,
    edges: [],
    variables: [],
    events: [],
  }
  const { nodes } = fromText('shop.json', JSON.stringify(file)).document.flows.main!
  expect(Object.values(nodes).map(({ position }) => position)).toEqual([
    { x: 0, y: 0 },
    { x: 20, y: 46 + 5 * 48 + 36 },
    { x: 600, y: 100 },
  ])
})

describe('Dify', () => {
  const { document, report } = convert(importExamples.dify!)
  const nodes = document.flows.main!.nodes

  test('asks the fields of the form once, and keeps the question of the user', () => {
    expect(nodes['node-start']!.cards).toMatchObject([
      { type: 'set', variable: 'conversation.query', value: '{{ event.preview }}' },
      { type: 'set', value: null },
      { type: 'set', value: null },
      {
        type: 'transition',
        when: 'conversation.form_filled === true',
        to: 'node-classify',
      },
      { type: 'capture', kind: 'singleChoice', into: 'conversation.topic' },
      { type: 'capture', kind: 'number', into: 'conversation.age' },
      { type: 'set', variable: 'conversation.form_filled', value: true },
    ])
  })

  test('asks models with instructions, passages and history as data', () => {
    expect(nodes['node-llm']!.cards).toEqual([
      {
        type: 'aiText',
        instructions: 'Answer from {{ "`context`" }} about {{ conversation.topic }}',
        input: {
          message: '{{ conversation.query }}',
          context: '{{ conversation.node_search_result }}',
          history: '{{ conversation.history ?? [] }}',
        },
        into: 'conversation.node_llm_text',
      },
    ])
    expect(nodes['node-classify']!.cards).toMatchObject([
      {
        type: 'aiTransition',
        transitions: [
          { when: 'Orders', to: 'node-answer' },
          { when: 'Anything else', to: 'node-search' },
        ],
      },
    ])
  })

  test('names the documents to upload, and no secret', () => {
    expect(report.knowledge.map(({ base }) => base)).toEqual([
      'node-search-1',
      'node-search-2',
    ])
    expect(report.secrets).toEqual(expect.arrayContaining(['TOKEN', 'X-Api-Key']))
    expect(JSON.stringify([document, report])).not.toMatch(/very-secret-value|12345678/)
  })

  test('keeps Python as a comment with the beginning in JavaScript', () => {
    const [card] = nodes['node-python']!.cards!
    expect(card).toMatchObject({
      type: 'code',
      code: expect.stringContaining('// def main(x):'),
    })
    expect(listEntries(report, 'code').map(({ result }) => result)).toEqual([
      'carried',
      'omitted',
    ])
  })

  test('runs parallel branches one after another, and rounds as a flow', () => {
    const forks = listCards(document).filter(
      (card) => card.type === 'callFlow' && card.flow.startsWith('branch'),
    )
    expect(forks).toHaveLength(2)
    expect(nodes['node-each-each']!.cards).toMatchObject([
      {
        type: 'transition',
        when: 'conversation.node_each_index >= (conversation.node_search_result ?? []).length',
      },
      { type: 'set', variable: 'conversation.node_each_item' },
      { type: 'callFlow', flow: 'node-each' },
      { type: 'set', variable: 'conversation.node_each_output' },
      { type: 'set', variable: 'conversation.node_each_index' },
    ])
    expect(nodes['node-each-each']!.next).toBe('node-each-each')
  })

  test('makes an agent of a chat app', () => {
    const { flows, triggers } = convert(importExamples.difyAgent!).document
    expect(flows.main!.nodes.assistant).toMatchObject({
      type: 'agent',
      instructions: 'You help {{ conversation.name }} with \\{{unknown}}.',
      tools: [{ type: 'knowledge', knowledgeBases: ['knowledge-1'] }],
    })
    expect(triggers).toEqual({
      welcome: { type: 'conversationStarted', flow: 'welcome' },
    })
  })
})

describe('Flowise', () => {
  test('carries agentflows', () => {
    const { document, report } = convert(importExamples.flowise!)
    const { nodes, description } = document.flows.main!
    expect(description).toBe('Remember')
    expect(nodes['label-llm']!.cards).toMatchObject([
      {
        type: 'aiTask',
        instructions: 'Be brief',
        input: { message: '{{ conversation.subject }}' },
        output: {
          properties: { kind: { enum: ['a', 'b'] } },
          required: ['subject', 'kind'],
        },
      },
      { type: 'set' },
      {
        type: 'set',
        variable: 'conversation.next',
        value: '{{ conversation.label_llm_values?.["kind"] }}',
      },
    ])
    expect(nodes['label-if']!.cards).toMatchObject([
      {
        type: 'transition',
        when: 'String(conversation.next ?? "") === "a"',
        to: 'label-reply',
      },
    ])
    expect(JSON.stringify([document, report])).not.toMatch(/testpwd|abcdef123456/)
  })

  test('carries chains with their prompts, in their order', () => {
    const { document } = convert(importExamples.flowiseChatflow!)
    const { nodes } = document.flows.main!
    expect(nodes['llm-chain']).toMatchObject({
      type: 'start',
      cards: [
        {
          type: 'aiTask',
          instructions: 'Write about {{ event.preview }} and {{ event.preview }}',
          into: 'conversation.llm_chain',
        },
      ],
      next: 'llm-chain-2',
    })
    expect(nodes['llm-chain-2']!.cards).toMatchObject([
      {
        type: 'aiText',
        instructions: expect.stringContaining('Improve {{ conversation.llm_chain }}'),
      },
    ])
  })
})

describe('Voiceflow', () => {
  const { document, report } = convert(importExamples.voiceflow!)
  const { nodes } = document.flows.main!

  test('sends rich texts with variables, and texts of messages of the current format', () => {
    expect(nodes['block-0']!.cards![0]).toEqual({
      type: 'send',
      message: 'Hello {{ conversation.name }}',
    })
    expect(nodes['block-3']!.cards![0]).toEqual({
      type: 'send',
      message: 'Welcome {{ conversation.name }}',
    })
  })

  test('computes conditions and values', () => {
    const whens = nodes['block-22']!.cards!.flatMap((card) =>
      card.type === 'transition' ? [card.when] : [],
    )
    expect(whens[0]).toBe('Number(conversation.name) > 3')
    expect(nodes['block-18']!.cards![0]).toMatchObject({
      value: '{{ (Number(conversation.count) + Number(1)) }}',
    })
  })

  test('asks for entities by their kinds, and names intents for the model', () => {
    expect(nodes['block-16']!.cards).toMatchObject([
      { kind: 'email', question: 'Your e-mail?', into: 'conversation.mail' },
      {
        kind: 'singleChoice',
        options: [{ label: 'tea', synonyms: ['chai'] }, { label: 'coffee' }],
      },
    ])
    expect(nodes.intents!.cards).toMatchObject([
      {
        type: 'aiTransition',
        transitions: [
          { when: 'The message means "order", for example: I want drink' },
          {},
        ],
      },
    ])
    expect(document.flows.component!.nodes.inside).toMatchObject({
      type: 'entry',
      position: { x: 1, y: 2 },
    })
    expect(JSON.stringify([document, report])).not.toContain('abcdef1')
  })

  test('reads the former list of ports', () => {
    const { main } = convert(importExamples.voiceflowOld!).document.flows
    expect(main!.nodes.ask!.cards).toMatchObject([
      { type: 'capture', question: 'How old are you?', into: 'conversation.age' },
      { type: 'transition', when: 'Number(conversation.age) > 17', to: 'ask' },
    ])
  })
})

describe('Botpress 12', () => {
  const { document, report, files } = convert(importExamples.botpress!)

  test('keeps translations', () => {
    expect(document.languages).toEqual({
      default: 'en',
      translations: {
        de: expect.objectContaining({
          'text-hi/message': {
            text: 'Hallo {{ user.name }}',
            original: 'Hi {{ user.name }}',
          },
          'single-choice-1/options/yes/label': { text: 'Ja', original: 'Yes' },
        }),
      },
    })
  })

  test('makes captures of skills, and the same flows of a zip archive', () => {
    expect(document.flows.main!.nodes.choose!.cards![0]).toMatchObject({
      kind: 'singleChoice',
      question: 'Pictures?',
      retries: 2,
      options: [{ value: 'yes', synonyms: ['sure'] }, { value: 'no' }],
    })
    expect(document.flows.pictures!.nodes.day!.cards![1]).toMatchObject({
      kind: 'date',
      into: 'conversation.day',
    })
    expect(convert(importExamples.botpressZip!).document).toEqual(document)
  })

  test('describes intents, and keeps questions with answers as a file', () => {
    expect(document.flows.main!.nodes.detect!.cards).toMatchObject([
      { type: 'capture', kind: 'raw', question: 'Which day?' },
      {
        type: 'aiTransition',
        transitions: [
          {
            when: 'The message means "pictures", for example: Show 2018 pictures; Rover images',
            to: { flow: 'pictures', node: 'day' },
          },
          { to: 'end' },
        ],
      },
    ])
    expect(files).toEqual({
      'knowledge/qna/questions.md': '## What rovers are there?\n\nSeven.\n',
    })
    expect(document.flows.error).toBeDefined()
  })

  test('runs actions that can run here', () => {
    const code = listCards(document).flatMap((card) =>
      card.type === 'code' ? [String(card.code)] : [],
    )
    expect(code.find((one) => one.includes('args.date'))).toBe(
      'const args = { "date": conversation.day }\n' +
        'await (async () => {\n\nconversation.saved = args.date\n})()',
    )
    expect(
      listEntries(report, 'action').map(({ name, result }) => [name, result]),
    ).toEqual([
      ['save', 'carried'],
      ['mail', 'omitted'],
      ['missing', 'omitted'],
    ])
  })
})

describe('Agents SDK', () => {
  const { document, report } = convert(importExamples.agentsTypeScript!)
  const { nodes } = document.flows.main!

  test('reads agents, branches and the state', () => {
    expect(
      Object.values(nodes).find(({ cards }) => cards?.[0]?.type === 'aiTask')!.cards![0],
    ).toMatchObject({
      instructions: 'Choose a category; never run process.exit()',
      output: {
        properties: {
          category: { enum: ['return', 'info'] },
          amount: { type: 'number' },
        },
      },
    })
    const whens = listCards(document).flatMap((card) =>
      card.type === 'transition' ? [card.when] : [],
    )
    expect(whens).toContain(
      'conversation.classify_output.category == "return" && conversation.tries < 3',
    )
    const texts = listCards(document).flatMap((card) =>
      card.type === 'aiText' ? [card.instructions] : [],
    )
    expect(texts).toContain(
      'Help with "{{ conversation.question }}" and {{ conversation.city }}',
    )
    expect(listCards(document)).toContainEqual(
      expect.objectContaining({
        type: 'capture',
        kind: 'confirmation',
        question: 'Return it?',
      }),
    )
    expect(JSON.stringify([document, report])).not.toContain('sk-abcdef')
  })

  test('reads Python as well', () => {
    const python = convert(importExamples.agentsPython!)
    const whens = listCards(python.document).flatMap((card) =>
      card.type === 'transition' ? [card.when] : [],
    )
    expect(whens).toEqual([
      'conversation.classify_output["category"] == "a" && ! conversation.city',
      'conversation.city == "Bern"',
    ])
    expect(python.report.name).toBe('Python shop')
  })
})

describe('files of attackers', () => {
  test.each([
    ['nothing', '', 'emptyFile'],
    ['a bot of ours', '{"kind": "bot", "version": 2, "flows": {}}', 'ownDocument'],
    [
      'a later version',
      JSON.stringify({ version: '9', groups: [], edges: [], variables: [] }),
      'unknownVersion',
    ],
    ['half of a JSON', '{"groups": [', 'invalidFile'],
    ['another JSON', '{"a": 1}', 'unknownFormat'],
    [
      'a bot without steps',
      JSON.stringify({ version: '6', groups: [], edges: [], variables: [] }),
      'emptyBot',
    ],
    ['deep JSON', `{"groups":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'tooLarge'],
    [
      'a bomb of aliases',
      `kind: app\na: &a [x, x]\n${'bcdefghij'
        .split('')
        .map(
          (name, index) =>
            `${name}: &${name} [${`*${'abcdefghij'[index]}, `.repeat(9)}x]`,
        )
        .join('\n')}\n`,
      'invalidFile',
    ],
  ])('rejects %s with a typed error', (_, text, fault) => {
    expect(() => fromText('bot.json', text)).toThrow(
      expect.objectContaining({ name: 'ImportError', fault }),
    )
  })

  test('says the position of a mistake', () => {
    expect(() => fromText('bot.yml', 'kind: app\napp: [')).toThrow(
      expect.objectContaining({
        fault: 'invalidFile',
        position: { line: 2, column: expect.any(Number) },
      }),
    )
  })

  test('does not take names of objects for names of things', () => {
    const file = JSON.parse(
      JSON.stringify(
        typebotFile([
          { type: 'constructor' },
          { type: '__proto__' },
          { type: 'text input', options: { variableId: 'toString' } },
        ]),
      )
        .replaceAll('"title":"Group 1"', '"title":"constructor"')
        .replaceAll('"Lead Score"', '"__proto__"'),
    )
    const { document } = fromJson({ ...file, ['__proto__']: { groups: [] } })
    expect(findProblems(document)).toEqual([])
    expect(Object.keys(document.flows.main!.nodes)).toContain('constructor-2')
    expect(({} as { groups?: unknown }).groups).toBeUndefined()
  })

  test('code of a name stays text', () => {
    const name = '}} {{ process.exit() }} " + process.exit() + "'
    const file = {
      ...typebotFile([
        { type: 'text', content: { plainText: `{{${name}}} {{ process.exit() }}` } },
      ]),
      variables: [{ id: 'v', name }],
    }
    const { document } = fromJson(file)
    expect(JSON.stringify(document)).not.toMatch(/(?<!\\\\)\{\{ process/)
  })

  test('a line break in a comment does not end it', () => {
    const { document } = fromJson(
      typebotFile([{ type: 'Pixel', options: { a: 'x\u2028process.exit()' } }]),
    )
    for (const card of listCards(document))
      if (card.type === 'code')
        for (const line of String(card.code).split(/[\n\r\u2028\u2029]/))
          expect(line).toMatch(/^\/\//)
  })
})

test('archives that unpack to too much, or are damaged, give a typed error', () => {
  const rejected = (bytes: Uint8Array) => {
    try {
      importBot('bot.bpa', bytes)
      return null
    } catch (error) {
      return (error as ImportError).fault
    }
  }
  const zeros = '0'.repeat(60_000_000)
  expect(rejected(toTarball({ 'flows/main.flow.json': zeros }))).toBe('tooLarge')
  expect(rejected(toZip({ 'flows/main.flow.json': zeros }))).toBe('tooLarge')
  const [tarball, zip] = [toTarball(botpressFiles), toZip(botpressFiles)]
  fc.assert(
    fc.property(fc.boolean(), fc.nat(), fc.nat(255), (isZip, at, byte) => {
      const bytes = Uint8Array.from(isZip ? zip : tarball)
      bytes[at % bytes.length] = byte
      expect([null, 'invalidFile', 'tooLarge', 'unknownFormat', 'emptyBot']).toContain(
        rejected(bytes),
      )
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('each changed program gives a valid document or a typed error', () => {
  const programs = [importExamples.agentsTypeScript!, importExamples.agentsPython!]
  fc.assert(
    fc.property(
      fc.nat(1),
      fc.nat(),
      fc.constantFrom('', '{', '}', '"', '`', '(', '\n', 'if', '${'),
      (which, at, text) => {
        const { fileName, bytes } = programs[which]!
        const source = new TextDecoder().decode(bytes)
        const cut = at % source.length
        try {
          const { document } = fromText(
            fileName,
            source.slice(0, cut) + text + source.slice(cut + 5),
          )
          expect(findProblems(document)).toEqual([])
        } catch (error) {
          expect(error).toBeInstanceOf(ImportError)
        }
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)

test('each changed file gives a valid document or a typed error', () => {
  const values = [
    null,
    '',
    'x'.repeat(300),
    -1,
    1e9,
    true,
    [],
    {},
    '{{ x',
    '}}',
    '__proto__',
    '\ud800',
    ['a'],
    { a: 1 },
  ]
  const originals = Object.values(importExamples).filter(({ fileName }) =>
    /\.(json|yml|vf)$/.test(fileName),
  )
  fc.assert(
    fc.property(
      fc.nat(originals.length - 1),
      fc.array(fc.tuple(fc.nat(), fc.nat(values.length - 1)), {
        minLength: 1,
        maxLength: 6,
      }),
      (which, changes) => {
        const { fileName, bytes } = originals[which]!
        const value = toMutable(fileName, bytes)
        // Copies: a value that stands at two places could come to lie inside of itself.
        for (const [at, index] of changes)
          mutate(value, at, structuredClone(values[index]))
        try {
          const { document, report } = fromText('x.json', JSON.stringify(value))
          expect(findProblems(document)).toEqual([])
          expect(toReportText(report)).toContain('# Import of')
        } catch (error) {
          expect(error).toBeInstanceOf(ImportError)
        }
      },
    ),
    { numRuns: 150 },
  )
}, 120_000)

/** YAML is JSON here, too: the importer reads both. */
function toMutable(fileName: string, bytes: Uint8Array): object {
  const text = new TextDecoder().decode(bytes)
  return fileName.endsWith('.yml') ? parse(text) : JSON.parse(text)
}

/** Replaces the value at a position in the order of the file. */
function mutate(value: object, at: number, replacement: unknown): void {
  const places: [Record<string, unknown>, string][] = []
  const visit = (holder: Record<string, unknown>) => {
    for (const [name, inside] of Object.entries(holder)) {
      places.push([holder, name])
      if (typeof inside === 'object' && inside !== null)
        visit(inside as Record<string, unknown>)
    }
  }
  visit(value as Record<string, unknown>)
  const place = places[at % Math.max(1, places.length)]
  if (place) place[0][place[1]] = replacement
}
