// Words and signs that make the number beside them a limit: "at most 5", "5 or more", "≥ 5", "5以上".
import { lazily } from '../engine/lazily.ts'
import { oneOf } from './patterns.ts'
import { plain } from './words.ts'

const toSet = (words: string) =>
  lazily(() => new Set(words.trim().split(/\s+/).map(plain)))

/** "at most 5" and "5 at most". */
const besideNumber = toSet(`
  less fewer weniger minder least most max maks maxi maximum maximal maximally minimum minimal minimally
  mindestens wenigstens höchstens maximaal minimaal minstens hoogstens hooguit minste
  mínimo mínima máximo máxima sumo minimo massimo almeno
  najmniej przynajmniej najwyżej maksymalnie minimalnie nejméně nejvýše alespoň maximálně minimálně
  minst mindst højst högst høyst minimum maksimum asgari azami fazla kadar
  минимум максимум минимально максимально крайней мінімум максимум щонайменше щонайбільше
  أكثر الأكثر أقل الأقل أقصى أدنى حتى حداکثر حداقل بیشتر کمتر לפחות היותר
  अधिकतम न्यूनतम कम ज्यादा ज़्यादा अधिक तक minimal maksimal nhất hơn
`)

/** "over 5", "up to 5". */
const beforeNumber = toSet(`
  min mini more over under above below beyond exceeding upto until till than between older
  younger larger bigger smaller higher lower greater starting
  mehr über unter oberhalb unterhalb ab bis zwischen
  jusqu jusque partir dessus dessous entre hasta desde mucho mayor menor superior inferior encima debajo
  acima abaixo maior fino oltre sotto sopra partire maggiore minore superiore inferiore tra
  tot vanaf boven onder tussen meer över upp opptil mer mere mindre
  ponad powyżej poniżej więcej mniej między od více víc méně přes nad
  больше меньше более менее свыше выше ниже до от между старше младше хотя більше менше понад від
  فوق تحت بين עד מעל מתחת בין lebih kurang sampai hingga dưới trên
`)

/** Words that are too common, or another word without their marks: "I ate 5". */
const asWritten = /(?:^| )(?:até|dès)(?: \S+)? ?$/u
const comparisons =
  / (?:plus|moins|mas|menos|mais|piu|meno) (?:de|du|que|di|do|da)(?: \S+)? $| (?:au plus|en az|up to)(?: \S+)? $/
const onlyWord = /^(?:do|da|dal|von|from|de|à|a|من|از)$/u

/** "5 and up". */
const conjunctions = oneOf(`
  or and no not oder und nicht ou et pas o y u e ni of en niet lub albo i nie eller och og nebo или
  и не або veya ya_da أو या
`)
const comparatives = oneOf(`
  more less fewer over under above below up older younger larger smaller higher lower mehr weniger
  daruber darunter alter junger plus moins mas menos mais piu meno meer minder wiecej mniej mer mere
  mindre vice больше меньше более менее выше ниже більше менше az fazla أكثر أقل ज्यादा अधिक कम
`)
const endings = oneOf(`
  tops upwards? onwards? aufwarts abwarts arriba adelante daruber darunter uzeri ustu alti asagi
  yukari ऊपर नीचे
`)
const afterNumber = new RegExp(
  ` (?:${endings}|${conjunctions} (?:\\S+ )?${comparatives}) `,
  'u',
)

const signs = /[<>≤≥≦≧⩽⩾]=?\s*(?:\p{Sc}\s*)?[-+]?$/u
const signsAfter = /^\s*(?:[<>≤≥≦≧⩽⩾]|(?:bis|to|a|à|hasta|até|do|до|[-–〜~])\s*$)/iu

/** In scripts without spaces. */
const attachedBefore = new RegExp(
  oneOf(`
    最大 最小 最低 最高 少なくとも 多くとも せいぜい 上限 下限 至少 至多 最少 最多 超[过過] [少多大小高低][于於] 不[到足超] 起[码碼] 최소 최대 적어도
    อย่างน้อย อย่างมาก กว่า เกิน สูงสุด ต่ำสุด ถึง
  `),
)
const attachedAfter =
  /^\S{0,4}?(?:以[上下内內降前]|未[満满滿]|超|より|まで|から|之[上下]|이상|이하|미만|초과|까지|부터|보다|넘|ขึ้นไป|ลงมา)/

/** Returns whether the words beside a number make it a limit. */
export function isBound(before: string, after: string): boolean {
  const isInBrackets = /<\s*$/.test(before) && /^\s*>/.test(after)
  if (!isInBrackets && (signs.test(before) || signsAfter.test(after))) return true
  if (attachedBefore.test(before.slice(-10)) || attachedAfter.test(after.trimStart()))
    return true
  const nearBefore = plain(before).split(' ').slice(-4)
  const nearAfter = plain(after).split(' ').slice(0, 5)
  return (
    nearBefore.some((word) => besideNumber().has(word)) ||
    nearBefore.slice(-3).some((word) => beforeNumber().has(word)) ||
    nearAfter.some((word) => besideNumber().has(word)) ||
    asWritten.test(before.slice(-30).toLowerCase()) ||
    comparisons.test(` ${nearBefore.join(' ')} `) ||
    onlyWord.test(plain(before)) ||
    afterNumber.test(` ${nearAfter.join(' ')} `)
  )
}
