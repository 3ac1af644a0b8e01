// Matches the rules of redaction in texts, step by step, so that a worker can alternate between
// tenants. A rule that takes more steps than it may fails closed: nothing of the text is kept.
import type { RedactionKind, RedactionMatch, RedactionRule } from '@botstead/contract'
import { Automaton, type Match, PatternError, Search } from './automaton.ts'
import { type FoldedText, foldText } from './folded-text.ts'
import {
  type Finder,
  findCards,
  findEmails,
  findIbans,
  findPhones,
} from './redaction-finders.ts'
import { listTexts, withTexts } from './texts-of-values.ts'

const builtIn: Record<
  Exclude<RedactionKind, 'custom'>,
  { find: Finder; replacement: string }
> = {
  email: { find: findEmails, replacement: '[e-mail]' },
  phone: { find: findPhones, replacement: '[phone]' },
  card: { find: findCards, replacement: '[card]' },
  iban: { find: findIbans, replacement: '[iban]' },
}

export interface ReadyRule {
  kind: RedactionKind
  replacement: string
  find: Finder | null
  pattern: string
  /** Of a pattern that was compiled; null for one that cannot be. */
  automaton?: Automaton | null
}

/** The text in place of one that a rule is too slow for. */
export const tooSlow = '[redacted: rule too slow]'

export interface Redacted {
  /** Null for a text without matches. */
  texts: (string | null)[]
  steps: number
  /** Indices of rules that were too slow. */
  slow: number[]
}

/** Compiles patterns later, on first use. */
export const toReadyRules = (rules: RedactionRule[]): ReadyRule[] =>
  rules.map(({ kind, pattern = '', replacement }) => ({
    kind,
    pattern,
    find: kind === 'custom' ? null : builtIn[kind].find,
    replacement:
      replacement ?? (kind === 'custom' ? '[redacted]' : builtIn[kind].replacement),
  }))

/** Steps between pauses: some milliseconds. */
const stepsOfTurn = 100_000
/** What beginning a search costs, as a number of steps. */
const stepsOfCall = 100
/** What compiling an instruction costs, as a number of steps. */
const stepsOfInstruction = 100
/** Steps of one rule in one text, and for each of its characters. An ordinary rule takes 1 to 5 of them. */
const maxSteps = 5_000_000
const maxStepsPerCharacter = 20

/** Pauses after each turn. `allowance` is the number of steps of all rules. */
export function* redactTexts(
  rules: ReadyRule[],
  texts: string[],
  allowance = Number.POSITIVE_INFINITY,
): Generator<void, Redacted> {
  const meter = new Meter(rules, allowance)
  const redacted: (string | null)[] = []
  for (const text of texts) {
    const result = text === '' ? text : yield* redactText(rules, meter, text, 0)
    redacted.push(result === text ? null : result)
  }
  return { texts: redacted, steps: meter.steps, slow: [...meter.slow] }
}

/** For rules without patterns. */
export const redactAtOnce = (rules: ReadyRule[], texts: string[]): Redacted =>
  toEnd(redactTexts(rules, texts))

export function toEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

class RuleTooSlow extends Error {}

/** Counts the steps of the rules. */
class Meter {
  steps = 0
  readonly slow = new Set<number>()
  #pausedAt = 0
  readonly #allowance: number
  readonly #stepsOf: number[]

  constructor(rules: ReadyRule[], allowance: number) {
    this.#allowance = allowance
    this.#stepsOf = rules.map(() => 0)
  }

  count(rule: number, steps: number) {
    this.steps += steps
    this.#stepsOf[rule]! += steps
  }

  /** Ends a search that takes too long. If all rules together do, names the one with most steps. */
  end(rule: number): never {
    const most = this.#stepsOf.indexOf(Math.max(...this.#stepsOf))
    this.slow.add(this.steps > this.#allowance ? most : rule)
    throw new RuleTooSlow()
  }

  isExhausted = () => this.steps > this.#allowance

  /** Returns whether a turn ends here. */
  endsTurn(): boolean {
    if (this.steps - this.#pausedAt < stepsOfTurn) return false
    this.#pausedAt = this.steps
    return true
  }
}

/** Of JSON in texts of JSON. */
const maxNesting = 5

function* redactText(
  rules: ReadyRule[],
  meter: Meter,
  text: string,
  nesting: number,
): Generator<void, string> {
  const value = nesting < maxNesting && isJson(text) ? parse(text) : undefined
  const inside = value === undefined ? null : listTexts(value)
  if (inside) {
    const redacted: (string | null)[] = []
    for (const one of inside) {
      const result = one === '' ? one : yield* redactText(rules, meter, one, nesting + 1)
      redacted.push(result === one ? null : result)
    }
    return redacted.every((one) => one === null)
      ? text
      : JSON.stringify(withTexts(value, redacted))
  }
  try {
    return replaceAll(yield* findAll(rules, meter, text), text)
  } catch (error) {
    if (error instanceof RuleTooSlow) return tooSlow
    throw error
  }
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type RuleMatch = Match & { kind: RedactionKind; replacement: string }

/** Of overlapping matches, that of the earlier rule counts. Throws RuleTooSlow. */
function* findAll(
  rules: ReadyRule[],
  meter: Meter,
  text: string,
): Generator<void, RuleMatch[]> {
  const folded = foldText(text)
  let matches: RuleMatch[] = []
  for (const [index, rule] of rules.entries()) {
    const found = yield* findRule(rule, index, meter, text)
    const others = folded ? yield* findRule(rule, index, meter, folded.text) : []
    const all = folded ? union(found, toOriginals(folded, others)) : found
    if (all.length > 0) matches = merge(matches, rule, all)
  }
  return matches
}

const toOriginals = (folded: FoldedText, found: Match[]) => found.map(folded.toOriginal)

function* findRule(
  rule: ReadyRule,
  index: number,
  meter: Meter,
  text: string,
): Generator<void, Match[]> {
  if (rule.find) {
    meter.count(index, text.length + stepsOfCall)
    if (meter.endsTurn()) yield
    return rule.find(text)
  }
  if (rule.automaton === undefined) {
    rule.automaton = compileOnce(rule)
    meter.count(index, stepsOfInstruction * (rule.automaton?.instructions.length ?? 0))
    if (meter.endsTurn()) yield
  }
  if (!rule.automaton || meter.isExhausted()) return meter.end(index)
  const limit = maxSteps + maxStepsPerCharacter * text.length
  const search = new Search(rule.automaton, text)
  meter.count(index, stepsOfCall)
  for (let isDone = false; !isDone; ) {
    const before = search.steps
    isDone = search.advance(before + stepsOfTurn)
    meter.count(index, search.steps - before)
    if (search.steps > limit || meter.isExhausted()) return meter.end(index)
    if (meter.endsTurn()) yield
  }
  return search.matches()
}

/** Returns null for a pattern that cannot be compiled. */
function compileOnce({ pattern }: ReadyRule): Automaton | null {
  try {
    return new Automaton(pattern)
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

/** Joins overlapping matches. */
function union(some: Match[], others: Match[]): Match[] {
  const all: Match[] = []
  for (const match of [...some, ...others].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && match.start < last.end) last.end = Math.max(last.end, match.end)
    else all.push({ ...match })
  }
  return all
}

/** Both are in the order of their starts. */
function merge(
  earlier: RuleMatch[],
  { kind, replacement }: ReadyRule,
  found: Match[],
): RuleMatch[] {
  const merged: RuleMatch[] = []
  let next = 0
  for (const { start, end } of found) {
    while (next < earlier.length && earlier[next]!.end <= start)
      merged.push(earlier[next++]!)
    const isFree = !(next < earlier.length && earlier[next]!.start < end)
    if (isFree && (merged.at(-1)?.end ?? 0) <= start)
      merged.push({ kind, replacement, start, end })
  }
  return [...merged, ...earlier.slice(next)]
}

function replaceAll(matches: RuleMatch[], text: string): string {
  let at = 0
  let replaced = ''
  for (const { start, end, replacement } of matches) {
    replaced += text.slice(at, start) + replacement
    at = end
  }
  return matches.length === 0 ? text : replaced + text.slice(at)
}

/** Tries rules with a text. */
export function* tryRules(rules: ReadyRule[], text: string) {
  const meter = new Meter(rules, Number.POSITIVE_INFINITY)
  try {
    const matches = yield* findAll(rules, meter, text)
    return {
      text: replaceAll(matches, text),
      matches: matches.map(
        ({ kind, start, end }): RedactionMatch => ({
          kind,
          text: text.slice(start, end),
          offset: start,
        }),
      ),
    }
  } catch (error) {
    if (error instanceof RuleTooSlow) return { text: tooSlow, matches: [] }
    throw error
  }
}

/** Returns why rules cannot work, or null. */
export function* findRuleProblem(rules: ReadyRule[]): Generator<void, string | null> {
  for (const [index, rule] of rules.entries()) {
    const problem = rule.kind === 'custom' ? findPatternProblem(rule) : null
    if (problem) return `\`rules[${index}].pattern\` "${rule.pattern}" ${problem}`
    yield
  }
  for (const [index, { replacement }] of rules.entries()) {
    const { matches } = yield* tryRules(rules, replacement)
    if (matches.length > 0)
      return `\`rules[${index}].replacement\` "${replacement}" matches a pattern: choose another text`
  }
  return null
}

function findPatternProblem(rule: ReadyRule): string | null {
  try {
    rule.automaton = new Automaton(rule.pattern)
    return rule.automaton.matchesEmpty
      ? 'matches the empty text: require a character'
      : null
  } catch (error) {
    if (error instanceof PatternError) return `is not a valid pattern: ${error.message}`
    throw error
  }
}
