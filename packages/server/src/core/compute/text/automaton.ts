// Finds all matches of a pattern in one pass over the text. The loop `while (matcher.find())` of an
// automaton is quadratic: for `a[^b]*b|a` each search reads to the end of the text before it falls
// back to `a`. Here, when a thread matches, the search for the next match begins at once, beside the
// threads of higher priority that may still find another match in place of this one. A state that a
// thread of higher priority occupies is never taken twice, so a character costs at most one visit of
// each instruction. RE2JS parses and compiles; its program is run here.
import { createRequire } from 'node:module'

export interface Match {
  start: number
  end: number
}

interface Instruction {
  op: number
  out: number
  arg: number
  runes: ArrayLike<number>
  matchRune(character: number): boolean
}

/** Codes of RE2's instructions. */
const op = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  characters: 8,
  character: 9,
  any: 10,
  anyInLine: 11,
}
/** Flags of conditions, such as `^`. */
const at = {
  lineStart: 1,
  lineEnd: 2,
  textStart: 4,
  textEnd: 8,
  boundary: 16,
  noBoundary: 32,
}

export class PatternError extends Error {}

/** Beyond it, a character may cost milliseconds. */
const maxInstructions = 10_000

let loaded: typeof import('re2js') | undefined
/** Loads RE2 on first use, not at every start. */
const re2 = () =>
  (loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js'))

export class Automaton {
  readonly instructions: readonly Instruction[]
  readonly start: number
  readonly matchesEmpty: boolean
  /** Whether an ASCII character can begin a match. */
  readonly begins: Uint8Array
  /** Of complete searches, for the next ones. */
  readonly spare: Threads[] = []

  /** Throws PatternError. */
  constructor(pattern: string) {
    const compiled = compile(pattern)
    const { inst, start, numLb } = compiled.re2().prog
    if (numLb > 0) throw new PatternError('lookbehind is not supported')
    if (inst.length > maxInstructions) throw new PatternError('it is too large')
    this.instructions = inst
    this.start = start
    this.matchesEmpty = compiled.matcher('').find()
    this.begins = toBeginnings(this)
  }
}

function compile(pattern: string) {
  const { RE2JS, RE2JSException } = re2()
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch (error) {
    throw error instanceof RE2JSException ? new PatternError(error.message) : error
  }
}

function toBeginnings(automaton: Automaton): Uint8Array {
  const begins = new Uint8Array(128)
  const threads = new Threads(automaton.instructions)
  threads.add(automaton.start, 0, -1, ~0)
  for (let i = 0; i < threads.count; i++)
    for (let character = 0; character < 128; character++)
      if (consumes(automaton.instructions[threads.states[i]!]!, character))
        begins[character] = 1
  return begins
}

function consumes(instruction: Instruction, character: number): boolean {
  switch (instruction.op) {
    case op.characters:
      return instruction.matchRune(character)
    case op.character:
      return instruction.runes[0] === character
    case op.any:
      return true
    case op.anyInLine:
      return character !== 10
    default:
      return false
  }
}

/** Threads in the order of their priority, each in its own state. */
class Threads {
  readonly states: Int32Array
  readonly starts: Int32Array
  /** The last match before the thread's own; -1 for none. */
  readonly histories: Int32Array
  count = 0
  /** Index of the thread that matches; -1 for none. */
  matching = -1
  visits = 0
  readonly #instructions: readonly Instruction[]
  /** By instruction: the round in which it was visited last. */
  readonly #visited: Int32Array
  #round = 1
  readonly #pending: number[] = []

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions
    const { length } = instructions
    this.states = new Int32Array(length)
    this.starts = new Int32Array(length)
    this.histories = new Int32Array(length)
    this.#visited = new Int32Array(length)
  }

  clear() {
    this.count = 0
    this.matching = -1
    this.#round++
  }

  /** Removes the threads from this index on; their states can be occupied again. */
  cut(index: number) {
    this.count = index
    this.matching = -1
    this.#round++
    for (let i = 0; i < index; i++) this.#visited[this.states[i]!] = this.#round
  }

  /** Adds a thread in each free state that the instruction reaches without a character. */
  add(state: number, start: number, history: number, conditions: number) {
    const pending = this.#pending
    pending.push(state)
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.#visited[next] === this.#round) continue
      this.#visited[next] = this.#round
      this.visits++
      const instruction = this.#instructions[next]!
      switch (instruction.op) {
        case op.alternative:
        case op.alternativeMatch:
          pending.push(instruction.arg, instruction.out)
          break
        case op.capture:
        case op.nothing:
          pending.push(instruction.out)
          break
        case op.emptyWidth:
          if ((instruction.arg & ~conditions) === 0) pending.push(instruction.out)
          break
        case op.fail:
          break
        default:
          if (instruction.op === op.match) this.matching = this.count
          this.states[this.count] = next
          this.starts[this.count] = start
          this.histories[this.count++] = history
      }
    }
  }
}

/** A search that can pause. */
export class Search {
  /** Visits of instructions up to now, and characters. */
  steps = 0
  readonly #automaton: Automaton
  readonly #text: string
  #threads: Threads
  #next: Threads
  #position = 0
  #character: number
  #before = -1
  /** Matches up to now, each with the one before it. */
  readonly #matches: { start: number; end: number; previous: number }[] = []
  #last = -1
  #isDone = false

  constructor(automaton: Automaton, text: string) {
    this.#automaton = automaton
    this.#text = text
    this.#threads = automaton.spare.pop() ?? new Threads(automaton.instructions)
    this.#next = automaton.spare.pop() ?? new Threads(automaton.instructions)
    this.#character = text.codePointAt(0) ?? -1
    this.#threads.clear()
  }

  /** Continues up to a number of steps in total. Returns whether the search is complete. */
  advance(maxSteps: number): boolean {
    while (!this.#isDone && this.steps < maxSteps) this.#readCharacter()
    return this.#isDone
  }

  /** Of a complete search: matches that are not empty, in order. */
  matches(): Match[] {
    const found: Match[] = []
    for (let at = this.#last; at !== -1; at = this.#matches[at]!.previous) {
      const { start, end } = this.#matches[at]!
      found.push({ start, end })
    }
    return found.reverse()
  }

  #readCharacter() {
    this.steps++
    const character = this.#character
    const threads = this.#threads
    if (threads.count === 0 && this.#cannotBegin(character)) {
      threads.clear()
      return this.#moveOn()
    }
    const conditions = toConditions(this.#before, character)
    const visits = threads.visits
    threads.add(this.#automaton.start, this.#position, this.#last, conditions)
    this.#takeMatch(conditions)
    this.steps += threads.visits - visits + threads.count
    if (character === -1) {
      this.#isDone = true
      this.#automaton.spare.push(this.#threads, this.#next)
      return
    }
    this.#consume(character)
    this.#moveOn()
  }

  #cannotBegin = (character: number) =>
    character >= 0 && character < 128 && this.#automaton.begins[character] === 0

  /** A match ends the threads of lower priority; the search for the next one begins here. */
  #takeMatch(conditions: number) {
    const threads = this.#threads
    const { matching } = threads
    if (matching === -1) return
    const start = threads.starts[matching]!
    if (start === this.#position) return
    const previous = threads.histories[matching]!
    this.#last = this.#matches.push({ start, end: this.#position, previous }) - 1
    threads.cut(matching)
    threads.add(this.#automaton.start, this.#position, this.#last, conditions)
  }

  #consume(character: number) {
    const { instructions } = this.#automaton
    const threads = this.#threads
    const next = this.#next
    next.clear()
    const end = this.#position + toWidth(character)
    const after = this.#text.codePointAt(end) ?? -1
    const conditions = toConditions(character, after)
    const visits = next.visits
    for (let i = 0; i < threads.count; i++) {
      const instruction = instructions[threads.states[i]!]!
      if (consumes(instruction, character))
        next.add(instruction.out, threads.starts[i]!, threads.histories[i]!, conditions)
    }
    this.steps += next.visits - visits
    threads.clear()
    this.#threads = next
    this.#next = threads
  }

  #moveOn() {
    this.#before = this.#character
    this.#position += toWidth(this.#character)
    this.#character = this.#text.codePointAt(this.#position) ?? -1
  }
}

const toWidth = (character: number) => (character > 0xffff ? 2 : 1)

function toConditions(before: number, after: number): number {
  let conditions = 0
  if (before === -1) conditions |= at.textStart | at.lineStart
  if (before === 10) conditions |= at.lineStart
  if (after === -1) conditions |= at.textEnd | at.lineEnd
  if (after === 10) conditions |= at.lineEnd
  return conditions | (isWord(before) === isWord(after) ? at.noBoundary : at.boundary)
}

const isWord = (character: number) =>
  (character >= 97 && character <= 122) ||
  (character >= 65 && character <= 90) ||
  (character >= 48 && character <= 57) ||
  character === 95
