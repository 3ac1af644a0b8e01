// Words for the numbers from 0 to 12, also in other forms than those of number-names.ts, and for the first
// positions of a list, in the languages of many users.
import { lazily } from '../../engine/lazily.ts'
import { plain } from '../words.ts'

/** Forms of each number from 0, separated by slashes. */
const numbers: Record<string, string> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve',
  de: 'null ein/eins/eine/einen/einem/einer zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf',
  fr: 'zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze',
  es: 'cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce',
  pt: 'zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze',
  it: 'zero un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici',
  nl: 'nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf',
  da: 'nul en/et/én/ét to tre fire fem seks syv otte ni ti elleve tolv',
  nb: 'null en/ett/én to tre fire fem seks sju/syv åtte ni ti elleve tolv',
  sv: 'noll en/ett två tre fyra fem sex sju åtta nio tio elva tolv',
  pl:
    'zero jeden/jedna/jedną/jedno dwa/dwie trzy cztery pięć sześć siedem osiem ' +
    'dziewięć dziesięć jedenaście dwanaście',
  ru:
    'ноль/нуль один/одна/одну/одно два/две три ' +
    'четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
  uk:
    'нуль один/одна/одну два/дві три чотири ' +
    'п’ять/пять шість сім вісім дев’ять десять одинадцять дванадцять',
  tr: 'sıfır bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki',
  ar:
    'صفر واحد/واحدة اثنان/اثنين ثلاثة/ثلاث أربعة/أربع ' +
    'خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر',
  hi: 'शून्य एक दो तीन चार पाँच/पांच छह/छः सात आठ नौ दस ग्यारह बारह',
  ja: '零/ゼロ 一/ひとつ/一つ 二/ふたつ/二つ 三/みっつ/三つ 四/四つ 五/五つ 六/六つ 七/七つ 八/八つ 九/九つ 十 十一 十二',
  zh: '零 一/一个 二/两/两个 三/三个 四/四个 五/五个 六/六个 七/七个 八/八个 九/九个 十/十个 十一 十二',
  ko: '영 하나/한/일 둘/두/이 셋/세/삼 넷/네/사 다섯/오 여섯/육 일곱/칠 여덟/팔 아홉/구 열/십 열하나 열둘',
}

/** Words that have another meaning in a language of this list. They count in their own only. */
const homonyms = new Set(
  'once on sei sex due um en et to fire ni ti 일 이 오 구 네 사 세 한 두 열'.split(' '),
)

export const isHomonym = (word: string) => homonyms.has(word)

type Named = Map<string, number>

const byLanguage = lazily(() => {
  const toNames = (words: string): Named =>
    new Map(
      words
        .split(' ')
        .flatMap((forms, value) =>
          forms.split('/').map((form) => [plain(form), value] as const),
        ),
    )
  return new Map(
    Object.entries(numbers).map(([language, words]) => [language, toNames(words)]),
  )
})

/** Returns the normalized words of a language with their numbers. */
export const listSmallNumbers = (language: string): ReadonlyMap<string, number> =>
  byLanguage().get(language) ?? new Map()

const inAnyLanguage = lazily(() => {
  const all: Named = new Map()
  for (const names of byLanguage().values())
    for (const [word, value] of names)
      if (!homonyms.has(word) && !all.has(word)) all.set(word, value)
  return all
})

/** Returns the number that a normalized word names, in the language of the locale or any other. */
export function findSmallNumber(word: string, locale?: string): number | undefined {
  const own =
    locale === undefined ? undefined : byLanguage().get(new Intl.Locale(locale).language)
  return own?.get(word) ?? inAnyLanguage().get(word)
}

/** "first", "2nd"; -1 is the last. */
const positions = lazily(() => {
  const lists = [
    'first second third fourth fifth',
    'erste zweite dritte vierte fünfte',
    'erster zweiter dritter vierter fünfter',
    'erstes zweites drittes viertes fünftes',
    'ersten zweiten dritten vierten fünften',
    'premier deuxième troisième quatrième cinquième',
    'première deuxième troisième quatrième cinquième',
    'primero segundo tercero cuarto quinto',
    'primera segunda tercera cuarta quinta',
    'primeiro segundo terceiro quarto quinto',
    'primeira segunda terceira quarta quinta',
    'primo secondo terzo quarto quinto',
    'prima seconda terza quarta quinta',
    'eerste tweede derde vierde vijfde',
    'pierwszy drugi trzeci czwarty piąty',
    'первый второй третий четвёртый пятый',
    'birinci ikinci üçüncü dördüncü beşinci',
    'الأول الثاني الثالث الرابع الخامس',
    'पहला दूसरा तीसरा चौथा पाँचवाँ',
    '第一 第二 第三 第四 第五',
    '第一个 第二个 第三个 第四个 第五个',
    '一番目 二番目 三番目 四番目 五番目',
    '1st 2nd 3rd 4th 5th',
    '1番 2番 3番 4番 5番',
    '1番目 2番目 3番目 4番目 5番目',
    '첫번째 두번째 세번째 네번째 다섯번째',
  ]
  const last =
    'last letzte letzter letztes letzten dernier dernière último última ultimo ultima laatste последний'
  return new Map([
    ...lists.flatMap((list) =>
      list.split(' ').map((word, at) => [plain(word), at + 1] as const),
    ),
    ...last.split(' ').map((word) => [plain(word), -1] as const),
  ])
})

/** Returns the position in a list that a normalized word names, from 1, or -1 for the last. */
export const findPosition = (word: string): number | undefined => positions().get(word)
