// Compares words without case, accents and punctuation.

export const plain = (text: string) =>
  text
    .slice(0, 2_000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{S}@+]+/gu, ' ')
    .trim()

const yes = ['yes', 'y', 'yeah', 'yep', 'true', 'on', '1', 'ja', 'oui', 'si', 'sim']
const no = ['no', 'n', 'nope', 'nah', 'false', 'off', '0', 'nein', 'non', 'nao']
const agreed = [
  'ok',
  'okay',
  'sure',
  'of course',
  'correct',
  'right',
  'confirm',
  'confirmed',
  'i confirm',
  'absolutely',
  'agreed',
  'go ahead',
  '👍',
]
const refused = [
  'cancel',
  'wrong',
  'incorrect',
  'not really',
  'never',
  'don t',
  'do not',
  'rather not',
  '👎',
]

const courtesies = /^(?:well|oh) |(?: (?:please|thanks|thank you|bitte|danke|por favor|merci))$/g

function truth(text: string, truths: Map<string, boolean>): boolean | undefined {
  const answer = plain(text)
  return truths.get(answer) ?? truths.get(answer.replace(courtesies, ''))
}

const mapOf = (positive: string[], negative: string[]) =>
  new Map<string, boolean>([
    ...positive.map((word) => [plain(word), true] as const),
    ...negative.map((word) => [plain(word), false] as const),
  ])

const booleans = mapOf(yes, no)
const confirmations = mapOf([...yes, ...agreed], [...no, ...refused])

export const booleanIn = (text: string) => truth(text, booleans)

/**
 * Also reads words of agreement ("sure"), and longer answers by their first words ("yes, that is
 * right").
 */
export function confirmationIn(text: string): boolean | undefined {
  const whole = truth(text, confirmations)
  return whole ?? booleans.get(plain(text.split(/[,.;!]/, 1)[0] ?? ''))
}
