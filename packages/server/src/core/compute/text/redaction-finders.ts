// Finders of e-mail addresses, phone numbers, cards and IBANs. Each reads a text in linear time: by
// patterns without nested repetition, and checks of bounded length.
import type { Match } from './automaton.ts'

/** Returns matches in the order of their starts. */
export type Finder = (text: string) => Match[]

const local = /[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const domain = /[\p{L}\p{M}\p{N}.-]/u

/** Reads backwards and forwards from each @, so a text without addresses costs nothing. */
export const findEmails: Finder = (text) => {
  const found: Match[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const first = Math.max(found.at(-1)?.end ?? 0, at - 64)
    let start = at
    while (start > first && local.test(text.charAt(start - 1))) start--
    let end = at + 1
    while (end < at + 255 && domain.test(text.charAt(end))) end++
    while (end > at + 1 && '.-'.includes(text.charAt(end - 1))) end--
    if (start < at && isHost(text.slice(at + 1, end))) found.push({ start, end })
  }
  return found
}

function isHost(host: string): boolean {
  const dot = host.lastIndexOf('.')
  return (
    dot > 0 &&
    /^[\p{L}\p{N}]/u.test(host) &&
    /^\p{L}[\p{L}\p{M}\p{N}-]+$/u.test(host.slice(dot + 1))
  )
}

/** Digits in groups. */
const digitGroups = /\d+(?:[ ./_-]{1,3}\d+)*/g

interface Group {
  start: number
  end: number
}

export const findCards: Finder = (text) => {
  const found: Match[] = []
  for (const { 0: run, index } of text.matchAll(digitGroups)) {
    if (run.length < 13 || beginsIban(text, index)) continue
    const groups = toGroups(text, index, index + run.length)
    for (let first = 0; first < groups.length; first++) {
      const last = lastOfCard(text, groups, first)
      if (last === null) continue
      found.push({ start: groups[first]!.start, end: groups[last]!.end })
      first = last
    }
  }
  return found
}

/** A wrong IBAN is no card, even if its checksum fits one. */
const beginsIban = (text: string, digits: number) =>
  /(?:^|[^\p{L}\p{N}])[A-Za-z]{2}$/u.test(text.slice(Math.max(0, digits - 3), digits)) &&
  /^\d\d/.test(text.slice(digits, digits + 2))

const isDigit = (code: number) => code >= 48 && code <= 57

function toGroups(text: string, from: number, to: number): Group[] {
  const groups: Group[] = []
  for (let start = from; start < to; ) {
    let end = start
    while (end < to && isDigit(text.charCodeAt(end))) end++
    if (end > start) groups.push({ start, end })
    start = end + 1
  }
  return groups
}

/** Returns the last of the groups that make a card number with the first one. */
function lastOfCard(text: string, groups: Group[], first: number): number | null {
  const sums = [0, 0]
  let digits = 0
  for (let last = first; last < groups.length; last++) {
    const { start, end } = groups[last]!
    if (digits + end - start > 19) return null
    for (let at = start; at < end; at++, digits++)
      addDigit(sums, digits, text.charCodeAt(at) - 48)
    const sum = sums[digits % 2]!
    if (digits >= 13 && sum > 0 && sum % 10 === 0 && isCard(text, groups, first, last))
      return last
  }
  return null
}

/** Luhn: every second digit from the last counts double. `sums` are those of an even and an odd number. */
function addDigit(sums: number[], index: number, digit: number) {
  sums[(index + 1) % 2]! += digit
  sums[index % 2]! += digit > 4 ? digit * 2 - 9 : digit * 2
}

const isCard = (text: string, groups: Group[], first: number, last: number) => {
  const { start, end } = { start: groups[first]!.start, end: groups[last]!.end }
  if (isPartOfWord(text, start, end)) return false
  return (
    /^[\d -]+$/.test(text.slice(start, end)) || isPrinted(groups.slice(first, last + 1))
  )
}

/**
 * Groups as on a card: `4111.1111.1111.1111`. Numbers and addresses have dots and slashes, too, but
 * no such groups: `3.141592653589793`, `1.234.567.890.123`.
 */
function isPrinted(groups: Group[]): boolean {
  const lengths = groups.map(({ start, end }) => end - start)
  const middle = lengths.slice(1, -1)
  return (
    lengths[0] === 4 && middle.length > 0 && middle.every((one) => one >= 4 && one <= 6)
  )
}

export const findIbans: Finder = (text) => {
  const found: Match[] = []
  for (const { index } of text.matchAll(/\b[A-Za-z]{2}\d{2}/g)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    const end = endOfIban(text, index)
    if (end !== null) found.push({ start: index, end })
  }
  return found
}

/** Returns the end of the longest IBAN that begins here and ends with a word. */
function endOfIban(text: string, start: number): number | null {
  let end: number | null = null
  let rest = 0
  let at = start + 4
  for (let length = 5; length <= 34; length++, at++) {
    if (' ./_-'.includes(text.charAt(at))) at++
    const value = toBase36(text.charCodeAt(at))
    if (value === null) break
    rest = append(rest, value)
    if (length < 15 || /[\p{L}\p{N}]/u.test(text.charAt(at + 1))) continue
    let whole = rest
    for (let i = 0; i < 4; i++)
      whole = append(whole, toBase36(text.charCodeAt(start + i))!)
    if (whole === 1) end = at + 1
  }
  return end
}

const append = (rest: number, value: number) =>
  (rest * (value > 9 ? 100 : 10) + value) % 97

/** The value of an ASCII digit or letter, as in base 36. */
function toBase36(code: number): number | null {
  if (isDigit(code)) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 122 ? letter - 87 : null
}

/** With a country code (+ or 00); with a leading 0 and separators; North American with separators. */
const phones = [
  /(?:\+|\b00)[1-9](?:[ ()./-]{0,2}\d){6,14}/g,
  /\(?\b0\d{1,5}\)?(?:[ ./-]{1,2}\d{2,8}){1,4}/g,
  /(?:\([2-9]\d\d\) ?|\b[2-9]\d\d[ .-])\d{3}[ .-]\d{4}/g,
]
const date = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/

export const findPhones: Finder = (text) =>
  phones
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ 0: phone, index }) => ({ phone, start: index, end: index + phone.length }))
    .filter(({ phone, start, end }) => {
      const digits = phone.replaceAll(/\D/g, '').length
      return digits >= 8 && digits <= 17 && !date.test(phone) && !isPart(text, start, end)
    })
    .sort((a, b) => a.start - b.start)

/** A letter, digit or underscore is before or after: the digits belong to an id. */
const isPartOfWord = (text: string, start: number, end: number) =>
  /[\p{L}\p{N}_]/u.test(text.charAt(start - 1)) || /[\p{L}\p{N}_]/u.test(text.charAt(end))

/** Digits before a number without + or ( are a part of it, as in an account number. */
const isPart = (text: string, start: number, end: number) =>
  isPartOfWord(text, start, end) ||
  (/\d/.test(text.charAt(start)) &&
    /\d[ .-]$/.test(text.slice(Math.max(0, start - 2), start)))
