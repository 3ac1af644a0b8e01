// Thoughts of models that are part of the text, such as `<think>…</think>` of DeepSeek R1 by servers
// that do not separate them. They are reasoning, not the answer. Read here: a thought at the
// beginning of the text or of a line, and text before a closing tag that nothing opened, because the
// templates of some models put the opening tag into the prompt.

const names = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'reflection',
]

interface Tags {
  open: string
  close: string
}

/** In lower case: models write them in any case. */
const pairs: Tags[] = [
  ...names.map((name) => ({ open: `<${name}>`, close: `</${name}>` })),
  ...names.map((name) => ({ open: `<|${name}|>`, close: `<|/${name}|>` })),
  { open: '[think]', close: '[/think]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|channel|>analysis<|message|>', close: '<|channel|>final<|message|>' },
]
const opens = pairs.map(({ open }) => open)
const closes = pairs.map(({ close }) => close)

/** Discard all pieces before `restart`: they are repeated as reasoning. */
export type Piece = { type: 'text' | 'reasoning'; text: string } | { type: 'restart' }

/** Separates thoughts from the pieces of a stream. Text that may begin a tag is held back. */
export class ThoughtFilter {
  /** Not yet decided. */
  #rest = ''
  /** The open thought. */
  #tags: Tags | null = null
  /** The text that the reader has, for a closing tag that nothing opened. */
  #sent = ''
  #hasThought = false
  /** Whether white space is dropped: it separates thoughts and answer. */
  #isBetween = false

  write(text: string): Piece[] {
    this.#rest += text
    return joined(this.#read(false))
  }

  end(): Piece[] {
    return joined(this.#read(true))
  }

  #read(isEnd: boolean): Piece[] {
    const pieces: Piece[] = []
    for (;;) {
      const before = this.#rest.length
      pieces.push(...(this.#tags ? this.#readThought(isEnd) : this.#readText(isEnd)))
      if (this.#rest === '' || this.#rest.length === before) return pieces
    }
  }

  #readThought(isEnd: boolean): Piece[] {
    const { close } = this.#tags!
    const at = this.#rest.toLowerCase().indexOf(close)
    const end =
      at >= 0 ? at : this.#rest.length - (isEnd ? 0 : findPending(this.#rest, [close]))
    const text = this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(at >= 0 ? end + close.length : end)
    if (at >= 0) this.#closed()
    return text === '' ? [] : [{ type: 'reasoning', text }]
  }

  #closed(): void {
    this.#tags = null
    this.#hasThought = true
    this.#isBetween = true
    this.#sent = ''
  }

  #readText(isEnd: boolean): Piece[] {
    if (this.#isBetween) this.#rest = this.#rest.trimStart()
    const tag = this.#findTag()
    if (!tag) return this.#pass(this.#rest.length - (isEnd ? 0 : this.#heldBack()))
    const isFirst = this.#sent === '' && this.#rest.slice(0, tag.at).trim() === ''
    if (isFirst) this.#rest = this.#rest.slice(tag.at)
    const pieces = isFirst ? [] : this.#pass(tag.at)
    this.#rest = this.#rest.slice(tag.text.length)
    if (tag.opened) this.#tags = tag.opened
    else pieces.push(...this.#toReasoning())
    return pieces
  }

  #pass(length: number): Piece[] {
    const text = this.#rest.slice(0, length)
    if (text === '') return []
    this.#rest = this.#rest.slice(length)
    this.#sent += text
    this.#isBetween = false
    return [{ type: 'text', text }]
  }

  /** The text up to here was a thought. */
  #toReasoning(): Piece[] {
    const text = this.#sent
    this.#closed()
    return [{ type: 'restart' }, { type: 'reasoning', text }]
  }

  #findTag(): { at: number; text: string; opened: Tags | null } | null {
    const text = this.#rest.toLowerCase()
    for (let at = 0; at < text.length; at++) {
      if (!'<[◁'.includes(text[at]!)) continue
      const opened = pairs.find(({ open }) => text.startsWith(open, at))
      if (opened && this.#beginsLine(at)) return { at, text: opened.open, opened }
      const close = this.#hasThought
        ? undefined
        : closes.find((one) => text.startsWith(one, at))
      if (close && !this.#isQuoted(at)) return { at, text: close, opened: null }
    }
    return null
  }

  #before = (at: number) => this.#sent.slice(-200) + this.#rest.slice(0, at)

  #beginsLine(at: number): boolean {
    return /(?:^|\n)[ \t]*$/.test(this.#isBetween ? '\n' : this.#before(at))
  }

  /** An answer about such tags quotes them. */
  #isQuoted = (at: number) => /[`'"“‘]$/.test(this.#before(at))

  #heldBack(): number {
    const length = findPending(
      this.#rest,
      this.#hasThought ? opens : [...opens, ...closes],
    )
    // White space at the beginning belongs to a tag that may follow.
    const isAll = this.#sent === '' && this.#rest.trimStart().length === length
    return isAll ? this.#rest.length : length
  }
}

/** Returns the length of the end of a text that may be the beginning of a tag. */
function findPending(text: string, tags: string[]): number {
  const end = text.slice(-maxTagLength).toLowerCase()
  for (let length = end.length; length > 0; length--) {
    const part = end.slice(-length)
    if (tags.some((tag) => tag.length > length && tag.startsWith(part))) return length
  }
  return 0
}
const maxTagLength = Math.max(...[...opens, ...closes].map(({ length }) => length))

/** Joins pieces of one type. */
function joined(pieces: Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last && last.type !== 'restart' && last.type === piece.type)
      last.text += piece.text
    else if (piece.type === 'restart' || piece.text !== '') all.push({ ...piece })
  }
  return all
}

/** Separates a whole text. */
export function separateThoughts(text: string): { text: string; reasoning: string } {
  const filter = new ThoughtFilter()
  const separated = { text: '', reasoning: '' }
  for (const piece of [...filter.write(text), ...filter.end()]) {
    if (piece.type === 'restart') separated.text = separated.reasoning = ''
    else separated[piece.type] += piece.text
  }
  return { text: separated.text, reasoning: separated.reasoning.trim() }
}
