// Builds small ONNX models of the structure of BERT: embeddings, layers of attention, a head. Words
// of one group have nearly the same embedding, so that the model knows some meanings. The other
// weights are random, as the speed of a model does not depend on them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Shape {
  hidden: number
  heads: number
  layers: number
  /** Number of positions. */
  maxTokens: number
  /** Words by meaning. */
  groups: string[][]
  /** Adds words without a meaning until the vocabulary has this size. */
  vocabulary?: number
}

/** Writes the folder of a sentence model, as exported for ONNX Runtime. */
export function writeSentenceModel(folder: string, shape: Shape): void {
  const words = toVocabulary(shape)
  const graph = new Graph()
  encode(graph, shape, words)
  writeModel(folder, shape, words, {
    architecture: 'BertModel',
    content: graph.toModel('last_hidden_state'),
  })
  mkdirSync(join(folder, '1_Pooling'), { recursive: true })
  writeJson(join(folder, '1_Pooling', 'config.json'), { pooling_mode_mean_tokens: true })
}

/** Writes the folder of a cross-encoder: its logit grows with the likeness of both texts. */
export function writeCrossEncoder(folder: string, shape: Shape): void {
  const words = toVocabulary(shape)
  const graph = new Graph()
  const hidden = encode(graph, shape, words)
  const second = graph.add('Cast', ['token_type_ids'], [int('to', 1)])
  const mask = graph.add('Cast', ['attention_mask'], [int('to', 1)])
  const ofSecond = graph.add('Mul', [second, mask])
  const ofFirst = graph.add('Sub', [mask, ofSecond])
  const [one, two] = [ofFirst, ofSecond].map((mask) => mean(graph, hidden, mask))
  const product = graph.add('Mul', [one!, two!])
  graph.add('ReduceSum', [product, graph.integers([1])], [int('keepdims', 1)], 'logits')
  writeModel(folder, shape, words, {
    architecture: 'BertForSequenceClassification',
    content: graph.toModel('logits'),
  })
}

interface Written {
  architecture: string
  content: Buffer
}

function writeModel(
  folder: string,
  { hidden, heads, layers, maxTokens }: Shape,
  words: Words,
  { architecture, content }: Written,
): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx', 'model.onnx'), content)
  writeJson(join(folder, 'tokenizer.json'), toTokenizer(words.ids))
  writeJson(join(folder, 'tokenizer_config.json'), {
    tokenizer_class: 'BertTokenizer',
    model_max_length: maxTokens,
  })
  writeJson(join(folder, 'config.json'), {
    architectures: [architecture],
    model_type: 'bert',
    hidden_size: hidden,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    max_position_embeddings: maxTokens,
    ...(isRanking(architecture) && { num_labels: 1 }),
  })
}

const isRanking = (architecture: string) =>
  architecture.endsWith('ForSequenceClassification')
const writeJson = (path: string, value: object) =>
  writeFileSync(path, JSON.stringify(value))

interface Words {
  ids: Map<string, number>
  /** The group of each id; -1 for words without one. */
  groups: number[]
}

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']

function toVocabulary({ groups, vocabulary = 0 }: Shape): Words {
  const ids = new Map(special.map((word, id) => [word, id]))
  const groupOf = special.map(() => -1)
  for (const [group, words] of groups.entries())
    for (const word of words) {
      ids.set(word, ids.size)
      groupOf.push(group)
    }
  while (ids.size < vocabulary) {
    ids.set(`word${ids.size}`, ids.size)
    groupOf.push(-1)
  }
  return { ids, groups: groupOf }
}

const toTokenizer = (ids: Map<string, number>) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [token('[CLS]', 0), sequence('A', 0), token('[SEP]', 0)],
    pair: [
      token('[CLS]', 0),
      sequence('A', 0),
      token('[SEP]', 0),
      sequence('B', 1),
      token('[SEP]', 1),
    ],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [ids.get(id)], tokens: [id] }]),
    ),
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(ids),
  },
})
const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } })

// --- The network -----------------------------------------------------------------------------

/** Adds the encoder, and returns the name of its output. */
function encode(
  graph: Graph,
  { hidden, heads, layers, maxTokens }: Shape,
  words: Words,
): string {
  const table = graph.floats([words.ids.size, hidden], toEmbeddings(words, hidden))
  const positions = graph.random([maxTokens, hidden], 0.001)
  const size = graph.add('Shape', ['input_ids'])
  const length = graph.add('Gather', [size, graph.integer(1)])
  const range = graph.add('Range', [graph.integer(0), length, graph.integer(1)])
  const places = graph.add('Gather', [positions, range])
  let state = graph.add('Add', [graph.add('Gather', [table, 'input_ids']), places])
  const bias = addBias(graph)
  for (let layer = 0; layer < layers; layer++) {
    const attended = attend(graph, state, bias, { hidden, heads })
    state = normalise(graph, graph.add('Add', [state, attended]), hidden)
    const inner = gelu(graph, dense(graph, state, hidden, hidden * 4))
    state = normalise(
      graph,
      graph.add('Add', [state, dense(graph, inner, hidden * 4, hidden)]),
      hidden,
    )
  }
  return graph.add('Identity', [state], [], 'last_hidden_state')
}

function toEmbeddings({ groups }: Words, hidden: number): Float32Array {
  const values = new Float32Array(groups.length * hidden)
  for (const [id, group] of groups.entries()) {
    const meaning = createRandom(group < 0 ? 10_000 + id : group)
    const own = createRandom(20_000 + id)
    for (let at = 0; at < hidden; at++) values[id * hidden + at] = meaning() + 0.1 * own()
  }
  return values
}

/** Excludes padding from attention. */
function addBias(graph: Graph): string {
  const mask = graph.add('Cast', ['attention_mask'], [int('to', 1)])
  const open = graph.add('Sub', [graph.number(1), mask])
  const bias = graph.add('Mul', [open, graph.number(-10_000)])
  return graph.add('Unsqueeze', [bias, graph.integers([1, 2])])
}

function attend(
  graph: Graph,
  state: string,
  bias: string,
  { hidden, heads }: Pick<Shape, 'hidden' | 'heads'>,
): string {
  const split = graph.integers([0, 0, heads, hidden / heads])
  const of = (perm: number[]) => {
    const apart = graph.add('Reshape', [dense(graph, state, hidden, hidden), split])
    return graph.add('Transpose', [apart], [ints('perm', perm)])
  }
  const [query, key, value] = [of([0, 2, 1, 3]), of([0, 2, 3, 1]), of([0, 2, 1, 3])]
  const scores = graph.add('MatMul', [query, key])
  const scaled = graph.add('Div', [scores, graph.number(Math.sqrt(hidden / heads))])
  const weights = graph.add(
    'Softmax',
    [graph.add('Add', [scaled, bias])],
    [int('axis', -1)],
  )
  const mixed = graph.add('MatMul', [weights, value])
  const together = graph.add('Transpose', [mixed], [ints('perm', [0, 2, 1, 3])])
  const joined = graph.add('Reshape', [together, graph.integers([0, 0, hidden])])
  return dense(graph, joined, hidden, hidden)
}

/** Small weights, so that the state keeps the meaning of the words. */
const dense = (graph: Graph, input: string, from: number, to: number) =>
  graph.add('MatMul', [input, graph.random([from, to], 0.05 / Math.sqrt(from))])

function gelu(graph: Graph, input: string): string {
  const erf = graph.add('Erf', [graph.add('Div', [input, graph.number(Math.SQRT2)])])
  const half = graph.add('Mul', [input, graph.number(0.5)])
  return graph.add('Mul', [half, graph.add('Add', [erf, graph.number(1)])])
}

const normalise = (graph: Graph, input: string, hidden: number) =>
  graph.add('LayerNormalization', [
    input,
    graph.floats([hidden], new Float32Array(hidden).fill(1)),
    graph.floats([hidden], new Float32Array(hidden)),
  ])

function mean(graph: Graph, hidden: string, mask: string): string {
  const wide = graph.add('Unsqueeze', [mask, graph.integers([2])])
  const sum = graph.add(
    'ReduceSum',
    [graph.add('Mul', [hidden, wide]), graph.integers([1])],
    [int('keepdims', 0)],
  )
  const count = graph.add('ReduceSum', [mask, graph.integers([1])], [int('keepdims', 1)])
  return graph.add('Div', [sum, graph.add('Max', [count, graph.number(1)])])
}

/** Returns numbers between -1 and 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 0x80000000 - 1
  }
}

// --- ONNX as protocol buffers ------------------------------------------------------------------

type Field = Buffer
const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(bytes)
}
const whole = (field: number, value: number): Field =>
  Buffer.concat([varint(field << 3), varint(value)])
const bytes = (field: number, value: Buffer): Field =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value])
const text = (field: number, value: string): Field => bytes(field, Buffer.from(value))
const message = (field: number, ...fields: Field[]): Field =>
  bytes(field, Buffer.concat(fields))

const int = (name: string, value: number) => [
  text(1, name),
  whole(3, value),
  whole(20, 2),
]
const ints = (name: string, values: number[]) => [
  text(1, name),
  ...values.map((value) => whole(8, value)),
  whole(20, 7),
]

const types = { float: 1, int64: 7 }

class Graph {
  readonly #nodes: Field[] = []
  readonly #initializers: Field[] = []
  #names = 0

  /** Adds a node, and returns the name of its output. */
  add(
    type: string,
    inputs: string[],
    attributes: Field[][] = [],
    output = this.#name(),
  ): string {
    this.#nodes.push(
      message(
        1,
        ...inputs.map((name) => text(1, name)),
        ...[text(2, output), text(3, `${type}-${output}`), text(4, type)],
        ...attributes.map((fields) => message(5, ...fields)),
      ),
    )
    return output
  }

  floats = (dims: number[], values: Float32Array) =>
    this.#constant(types.float, dims, Buffer.from(values.buffer))
  number = (value: number) => this.floats([], Float32Array.of(value))
  integers = (values: number[]) =>
    this.#constant(types.int64, [values.length], toInt64(values))
  integer = (value: number) => this.#constant(types.int64, [], toInt64([value]))

  random(dims: number[], scale: number): string {
    const random = createRandom(this.#names)
    const values = Float32Array.from({ length: dims.reduce((a, b) => a * b) }, random)
    return this.floats(
      dims,
      values.map((value) => value * scale),
    )
  }

  toModel(output: string): Buffer {
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids']
    return Buffer.concat([
      whole(1, 8),
      text(2, 'botstead-tests'),
      message(
        7,
        ...this.#nodes,
        text(2, 'encoder'),
        ...this.#initializers,
        ...inputs.map((name) => message(11, ...typedValue(name, types.int64, 2))),
        message(12, ...typedValue(output, types.float, output === 'logits' ? 2 : 3)),
      ),
      message(8, text(1, ''), whole(2, 17)),
    ])
  }

  #constant(type: number, dims: number[], raw: Buffer): string {
    const name = this.#name()
    this.#initializers.push(
      message(
        5,
        ...dims.map((dim) => whole(1, dim)),
        whole(2, type),
        text(8, name),
        bytes(9, raw),
      ),
    )
    return name
  }

  #name = () => `v${this.#names++}`
}

const toInt64 = (values: number[]) =>
  Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer)

const typedValue = (name: string, type: number, rank: number) => [
  text(1, name),
  message(
    2,
    message(
      1,
      whole(1, type),
      message(
        2,
        ...Array.from({ length: rank }, (_, at) => message(1, text(2, `${name}${at}`))),
      ),
    ),
  ),
]
