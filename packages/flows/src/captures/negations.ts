// Words that reverse the meaning of the words beside them, in the languages of many users.
import { lazily } from '../engine/lazily.ts'
import { oneOf } from './patterns.ts'
import { plain } from './words.ts'

/** "not", "no" and their kind. */
const negations = `
  not no never neither nor none nobody nothing cannot cant dont wont isnt arent doesnt didnt nope nah
  nicht nichts kein keine keinen keinem keiner keines nie niemals weder ungern bloss
  pas ne n ni aucun aucune jamais rien non
  nada ningun ninguna ninguno nunca tampoco jamas
  nao nem nenhum nenhuma
  niente nessun nessuno nessuna neanche nemmeno
  niet geen nooit inte ingen inget inga aldrig ej ikke ikkje aldri intet
  ei nigdy żadne nikdy nem soha nu niciun nicio değil yok istemiyorum hayır
  не нет ни никогда ні немає нема όχι δεν μην لا ليس ليست لم لن ما نه نیست לא אין אל
  नहीं मत ना না নয় không chẳng chưa tidak bukan jangan
  不 不要 不是 没有 沒有 别 別 非 ではない じゃない いらない 아니 아니요 아닌 안 말고 싫어 ไม่ ไม่เอา
`

/** Words that ask for the removal of something, or are against it. */
const removals =
  'remove cancel stop drop delete reject refuse decline forget against allergic'

/** "except", "without" and their kind. */
const exclusions = `
  except excepting excluding exclude besides but without minus less unlike avoid skip hate dislike
  everything anything alles
  außer ohne statt anstatt anstelle ausgenommen
  sauf sans hormis excepté excepter plutôt
  sin excepto salvo menos sem exceto fora senza tranne eccetto meno
  behalve zonder uitgezonderd utan förutom utom uden undtagen undtaget uten unntatt bortsett
  paitsi ilman bez oprócz prócz kromě kivéve nélkül fără afara hariç
  без кроме крім окрім χωρίς εκτός بدون غير إلا عدا جز מלבד בלי חוץ ללא
  बिना छोड़कर सिवाय trừ ngoại kecuali tanpa selain 除了 以外 除く 抜き なし 제외 빼고 ยกเว้น
  🚫 ❌ ✖ ✗ ✘ 👎 ⛔ 🙅
`

const toSet = (words: string) =>
  lazily(() => new Set(words.trim().split(/\s+/).map(plain)))

const words = toSet(`${negations} ${exclusions} ${removals}`)

const auxiliaries = oneOf('do does did is are was were ca wo would could should have has')
const exclusionPhrases = oneOf(`
  (?:other|rather)_than (?:apart|aside)_from (?:save|except)_for instead_of leave_out
`)
const phrases = new RegExp(`(?<= )(?:${auxiliaries}n t|${exclusionPhrases})(?= )`)

/** Words directly before a value that the user does not mean: "not a@example.com". */
const denialWords = oneOf(`
  not never except without instead_of nicht nie statt ohne außer pas jamais sans sauf nunca jamás sin não sem
  non senza niet zonder inte utan ikke не без
`)
const denials = new RegExp(`(?:^| )${denialWords}$`, 'u')

export const endsWithDenial = (before: string) =>
  /[\p{L}\p{M}]\s+$/u.test(before) && denials.test(before.slice(-50).trim().toLowerCase())

/** Returns whether the clause after a value denies it: "a@example.com is wrong". */
export function startsWithDenial(after: string): boolean {
  const [clause = ''] = after.slice(0, 200).split(/[,;:!\n]|\.(?:\s|$)/)
  const words = plain(clause).split(' ').slice(0, 4).join(' ')
  return (
    isNegated(words) ||
    / (?:wrong|incorrect|false|falsch|faux|fausse) /.test(` ${words} `)
  )
}

/** Returns whether normalized words contain a negation or an exclusion. */
export const isNegated = (text: string) =>
  text.split(' ').some((word) => words().has(word)) || phrases.test(` ${text} `)

/** Words of exclusion that are also a sign: "minus 5". */
const minusSigns = /(?<= )(?:minus|less|menos|meno|salvo)(?= )/g

const besideNumbers = toSet(`${negations} ${exclusions}`)
const [endOfClause, startOfClause] = [
  /^.*[,;:.!?，。；！？、؛،\n]\s/su,
  /[,;.!，。；！、؛،\n](?:\s.*)?$/su,
]

/** In scripts without spaces. */
const attachedBefore = /(?:不是?|不要|[别別]|[没沒]有?|非|ไม่(?:ใช่|เอา)?)\s*$/u
const attachedAfter =
  /^\s*[\p{L}\p{M}]{0,4}?(?:ではな|じゃな|でな|以外|不[要是行]|아니|아닌|말고|빼고|없|ไม่)/u

/** Returns whether the clause of a number denies it: "not 5", "5じゃない", "I don't have 5". */
export function isNumberDenied(before: string, after: string): boolean {
  const [start, end] = [before.replace(endOfClause, ''), after.replace(startOfClause, '')]
  const clause = ` ${plain(start)} · ${plain(end)} `.replace(minusSigns, '')
  return (
    attachedBefore.test(before) ||
    attachedAfter.test(after) ||
    clause.split(' ').some((word) => besideNumbers().has(word)) ||
    phrases.test(clause)
  )
}
