// Detects the language of a text, to select PostgreSQL's text search configuration for stemming.
import { plainText, searchableWords } from './searchable-text.ts'

/** Words that are frequent in one language and rare in the others, without accents, as indexed. */
const smallWords = {
  english:
    'the of and to in is that for with are this on be by ' +
    'not or as from at you can which it was have will if an when',
  german:
    'der die und das ist nicht mit den von zu ein eine auf fur sich ' +
    'dem des werden im wird als auch oder sind bei aus wenn nach wie kann',
  french:
    'le la les des et est une dans pour que qui sur pas avec par ' +
    'du au sont vous ce plus ou nous il elle cette aux ne se en',
  spanish:
    'el los las del que y en es por una para con no se ' +
    'su al lo como mas o esta son ser este pero ha si muy usted',
  italian:
    'il di che e la per un una in con non del della ' +
    'sono gli al dei le piu nel si come ma anche alla questo essere',
  portuguese:
    'o os as do da que e em um uma para com nao por ' +
    'se dos no na ao mais como foi sao voce ou seu sua pelo isso',
  dutch:
    'de het een en van is dat op te zijn met voor niet aan ' +
    'er om ook als bij maar uit door naar wordt deze worden kan of je',
  swedish:
    'och att det som en pa ar av for med till den har ' +
    'inte om ett han ska kan fran eller sig vi nar detta finns',
  danish:
    'og at det er en den til af pa for med de ikke ' +
    'der har et som kan skal eller fra ved blive hvis ogsa efter',
  norwegian:
    'og det er som en pa for med til av den ikke har et kan skal eller fra ved hvis ogsa etter om bli vaere',
  finnish:
    'ja on ei etta se joka ovat kun tai myos mutta kuin niin voi ole tama sen jos han ovat olla mita',
  hungarian:
    'a az es hogy nem is egy meg ha vagy csak de ez lehet volt mint kell minden azt el ki mar nincs',
  romanian:
    'si in de la cu nu pe este un o care sa din pentru mai ce sunt fi se au prin sau ca dar acest',
  turkish:
    've bir bu icin ile de da olarak daha cok ne gibi var ya olan her kadar sonra ise degil veya',
}

type Language = keyof typeof smallWords | 'russian' | 'greek' | 'arabic' | 'hindi' | 'simple'

const languages = new Map(
  Object.entries(smallWords).map(([language, words]) => [
    language as Language,
    new Set(words.split(' ')),
  ]),
)

const scripts: [Language, RegExp][] = [
  ['russian', /\p{Script=Cyrillic}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['hindi', /\p{Script=Devanagari}/gu],
]

/** Characters that suffice for detection. */
const sampleLength = 20_000

/** Returns `simple`, which does not stem words, when the language is unknown. */
export function languageOf(text: string): Language {
  const sample = text.slice(0, sampleLength)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const script = scripts.find(([, letter]) => (sample.match(letter)?.length ?? 0) > letters / 2)
  if (script) return script[0]
  const words = searchableWords(plainText(sample))
  const [best, second] = [...languages]
    .map(([language, small]) => ({
      language,
      share: words.filter((word) => small.has(word)).length / Math.max(words.length, 1),
    }))
    .sort((a, b) => b.share - a.share)
  // Too few known words, or equally many of two languages, are inconclusive.
  return best!.share >= 0.08 && best!.share > second!.share ? best!.language : 'simple'
}
