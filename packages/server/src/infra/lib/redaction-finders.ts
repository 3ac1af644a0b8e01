// Finders of e-mail addresses, phone numbers, cards and IBANs. Each reads a text in linear time: by
// patterns without nested repetition, and checks of bounded length.
export interface Found {
  start: number
  end: number
}
/** Returns matches in the order of their starts. */
export type Finder = (text: string) => Found[]

const local = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const domain = /[\p{L}\p{N}.-]/u

/** Reads backwards and forwards from each @, so a text without addresses costs nothing. */
export const findEmails: Finder = (text) => {
  const found: Found[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const first = Math.max(found.at(-1)?.end ?? 0, at - 64)
    let start = at
    while (start > first && local.test(text.charAt(start - 1))) start--
    let end = at + 1
    while (end < at + 255 && domain.test(text.charAt(end))) end++
    const host = text.slice(at + 1, end).replace(/[.-]+$/, '')
    if (start < at && /^[\p{L}\p{N}].*\.\p{L}[\p{L}\p{N}-]+$/u.test(host))
      found.push({ start, end: at + 1 + host.length })
  }
  return found
}

/** Digits in groups with single separators. */
const digitGroups = /\d+(?:[ -]\d+)*/g

export const findCards: Finder = (text) => {
  const found: Found[] = []
  for (const { 0: run, index } of text.matchAll(digitGroups)) {
    if (run.length < 13 || isPartOfWord(text, index, index + run.length)) continue
    const groups = [...run.matchAll(/\d+/g)]
    for (let first = 0; first < groups.length; first++) {
      const last = lastOfCard(groups, first)
      if (last === null) continue
      const end = groups[last]!.index + groups[last]![0].length
      found.push({ start: index + groups[first]!.index, end: index + end })
      first = last
    }
  }
  return found
}

/** Returns the last of the groups that make a card number with the first one. */
function lastOfCard(groups: RegExpExecArray[], first: number): number | null {
  let digits = ''
  for (let last = first; last < groups.length; last++) {
    digits += groups[last]![0]
    if (digits.length > 19) return null
    if (digits.length >= 13 && isLuhn(digits)) return last
  }
  return null
}

function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = i % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && /[1-9]/.test(digits)
}

const ibanStart = /[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}/y

export const findIbans: Finder = (text) => {
  const found: Found[] = []
  for (const { index } of text.matchAll(/\b[A-Za-z]{2}\d{2}/g)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    ibanStart.lastIndex = index
    const [run] = ibanStart.exec(text) ?? []
    const length = run ? ibanLength(run, text.charAt(index + run.length)) : null
    if (length) found.push({ start: index, end: index + length })
  }
  return found
}

/** The longest part that ends with a word and has a valid checksum. */
function ibanLength(run: string, next: string): number | null {
  for (let length = run.length; length >= 15; length--) {
    const after = length === run.length ? next : run.charAt(length)
    if (run.charAt(length - 1) === ' ' || /[\p{L}\p{N}]/u.test(after)) continue
    if (hasChecksum(run.slice(0, length).replaceAll(' ', '').toUpperCase())) return length
  }
  return null
}

function hasChecksum(iban: string): boolean {
  if (iban.length < 15 || iban.length > 34) return false
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
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
  (/\d/.test(text.charAt(start)) && /\d[ .-]$/.test(text.slice(Math.max(0, start - 2), start)))
