// Function words of questions by language, without accents, as plainText writes them. Questions with the
// same other words, in any form, are the same question. Left out of these lists are words that change the
// meaning: negations, question words ("when", "how"), "must", "from", "without", "or".

export interface FunctionWords {
  words: Set<string>
  /** Question words, of which a misspelling is recognized although it is short. */
  questions: Set<string>
  first: Set<string>
  second: Set<string>
  /** With one of these, the order of the words changes the meaning: "from A to B". */
  ordering: Set<string>
}

const toSet = (words: string) => new Set(words.split(' '))

const toFunctionWords = (lists: Record<keyof FunctionWords, string>): FunctionWords => ({
  words: toSet(`${lists.words} ${lists.first} ${lists.second}`),
  questions: toSet(lists.questions),
  first: toSet(lists.first),
  second: toSet(lists.second),
  ordering: toSet(lists.ordering),
})

/** An empty list: in other Romance languages, "de" is both "of" and "from", so the order always counts. */
const none = ''

const languages: Record<string, FunctionWords> = {
  english: toFunctionWords({
    words:
      'a an the this that these those is are am be do does can could would please to of at on in for by ' +
      'with there it its some any and hello hi hey thanks thank also so just currently exactly',
    questions: 'when where what which who how why',
    first: 'i me my mine we us our ours',
    second: 'you your yours',
    ordering: 'from to into than before after or instead for by with against between',
  }),
  german: toFunctionWords({
    words:
      'der die das den dem des ein eine einen einem einer eines ist sind bin seid man es bitte hallo danke ' +
      'zu zum zur an am im in auf bei beim fur mit und denn eigentlich auch kann konnen konnte konnten ' +
      'konnt mal genau',
    questions: 'wann wo was wer wie warum welche welcher welches wieviel',
    first: 'ich mir mich mein meine meinen meinem meiner wir uns unser unsere unseren',
    second:
      'sie ihr ihre ihren ihnen ihrem ihrer du dir dich dein deine deinen euch euer eure',
    ordering: 'von vom vor nach als oder statt aus bis zu zum zur fur mit gegen zwischen',
  }),
  french: toFunctionWords({
    words:
      'le la les l un une des d de du est sont a au aux en dans sur pour par avec ce c cette ces cet et ' +
      'il elle on y peut peux puis peuvent pourrait pourrais bonjour bonsoir merci svp plait s',
    questions: 'quand ou que quoi qui comment pourquoi quel quelle quels quelles combien',
    first: 'je j me m moi mon ma mes nous notre nos suis pouvons',
    second: 'vous votre vos tu te t toi ton ta tes etes es pouvez',
    ordering: none,
  }),
  spanish: toFunctionWords({
    words:
      'el la los las un una unos unas es son esta estan de del al a en por para con y se lo le ' +
      'puede pueden podria favor hola buenos buenas dias tardes gracias este ese',
    questions: 'cuando donde que quien como cuanto cuanta cuantos cuantas cual cuales',
    first: 'yo me mi mis nos nuestro nuestra nuestros nuestras puedo podemos',
    second: 'usted ustedes vosotros os tu tus te su sus puedes estais',
    ordering: none,
  }),
  italian: toFunctionWords({
    words:
      'il lo la i gli le l un uno una e di del della dei delle dello al alla ai alle a in nel nella per ' +
      'con si puo possono ciao salve buongiorno grazie favore questo questa',
    questions:
      'quando dove che cosa chi come perche quanto quanta quanti quante quale quali',
    first: 'io mi me mio mia miei mie ci noi nostro nostra sono posso possiamo',
    second: 'lei tu ti te tuo tua suo sua voi vi vostro vostra siete puoi potete',
    ordering: none,
  }),
  portuguese: toFunctionWords({
    words:
      'o a os as um uma e de do da dos das em no na nos nas ao aos para por pelo pela com se ' +
      'sao esta estao pode podem poderia favor ola oi obrigado obrigada este esta',
    questions:
      'quando onde que quem como porque quanto quanta quantos quantas qual quais',
    first: 'eu me mim meu minha meus minhas nosso nossa posso podemos',
    second: 'voce voces tu te seu sua seus suas',
    ordering: none,
  }),
  dutch: toFunctionWords({
    words:
      'de het een is zijn er en dit dat deze die om te in op aan bij voor met kan kunnen hallo hoi dank ' +
      'bedankt alstublieft alsjeblieft ook',
    questions: 'wanneer waar wat wie hoe waarom welke hoeveel',
    first: 'ik me mij mijn wij we ons onze ben',
    second: 'u uw jij je jou jouw jullie bent kunt',
    ordering: 'van uit naar dan voor na of tot te met tegen tussen',
  }),
}

const unknown = toFunctionWords({
  words: '',
  questions: '',
  first: '',
  second: '',
  ordering: none,
})

/** Returns empty lists for a language without lists, in which only the same words are the same question. */
export const findFunctionWords = (language: string): FunctionWords =>
  languages[language] ?? unknown

/**
 * Returns the language with the most function words in the text. A question is often too short
 * for detectLanguage. Null if two languages have as many.
 */
export function languageOfWords(words: string[]): string | null {
  const counts = Object.entries(languages)
    .map(([language, { words: known, questions }]) => ({
      language,
      count: words.filter((word) => known.has(word) || questions.has(word)).length,
    }))
    .sort((a, b) => b.count - a.count)
  const [best, second] = counts
  return best!.count > second!.count ? best!.language : null
}

const byCode: Record<string, string> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hi: 'hindi',
  hu: 'hungarian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
}

/** Returns the name that PostgreSQL has for the language of a code such as `en` or `pt-BR`. */
export const languageOfCode = (code: string): string | undefined =>
  byCode[code.toLowerCase().split('-')[0]!]

const byName = new Map(Object.entries(byCode).map(([code, name]) => [name, code]))

/** Returns the code of a language by the name that PostgreSQL has for it. */
export const findLanguageCode = (name: string): string | undefined => byName.get(name)
