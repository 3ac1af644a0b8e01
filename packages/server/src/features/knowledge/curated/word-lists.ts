// The most frequent words of some languages, to tell misspellings from other words. Loaded on first use.
import { foldLetters } from '@botstead/flows/folding'

type Load = () => Promise<{ default: string[] }>

/** Only these files of the packages: the others have names of people. */
const loaders: Record<string, Load> = {
  english: () => import('@zxcvbn-ts/language-en/dist/commonWords.json.mjs'),
  german: () => import('@zxcvbn-ts/language-de/dist/commonWords.json.js'),
}

const loaded = new Map<string, Promise<Set<string>>>()

/** Returns null for a language without a list. */
export function findWordList(language: string): Promise<Set<string>> | null {
  const load = Object.hasOwn(loaders, language) ? loaders[language] : undefined
  if (!load) return null
  const known = loaded.get(language) ?? load().then(toWordList)
  loaded.set(language, known)
  return known
}

const toWordList = ({ default: words }: { default: string[] }): Set<string> =>
  new Set(
    words.map((word) => (/^[a-z]+$/.test(word) ? word : foldLetters(word.toLowerCase()))),
  )
