// Reads yes and no: one word, several words of one meaning, or a sentence that begins with one.
import { lazily } from '../engine/lazily.ts'
import { isNegated } from './negations.ts'
import { oneOf } from './patterns.ts'
import { plain } from './words.ts'

const toList = (phrases: string) => phrases.trim().split(/\s*,\s*/)

const yes = toList(`
  yes, y, yeah, yep, yup, yea, ya, aye, true, on, 1, ja, jawohl, jep, jazeker, oui, ouais, si, sim,
  jo, igen, ano, áno, tak, да, ага, так, evet, はい, ハイ, うん, ええ, 是, 是的, 是啊, نعم, أجل, ايوه, ايوا, हाँ,
  हां, जी हाँ, जी हां, 네, 예, 응, ใช่, כן, بله, آره, vâng, ναι
`)
const no = toList(`
  no, n, nope, nah, nay, false, off, 0, nein, nö, nee, non, nao, nie, nej, nei, ne, nem, нет, неа,
  ні, hayır, いいえ, いえ, ううん, 不, 不是, 不是的, لا, كلا, नहीं, नही, जी नहीं, 아니요, 아니오, 아니, 아뇨, ไม่, ไม่ใช่,
  לא, نه, خیر, không, όχι
`)
const agreed = toList(`
  ok, okay, okey, sure, why not, of course, correct, right, confirm, confirmed, i confirm,
  absolutely, agreed, i agree, go ahead, definitely, certainly, exactly, alright, all right,
  sounds good, fine, great, perfect, yes i do, i do, yes i am, yes it is, it is, ок, окей,
  that s right, that s correct, that is right, that is correct, please do, do it, by all means,
  indeed, hell yes, klar, na klar, natürlich, gerne, gern, sicher, genau, richtig, stimmt, passt,
  in ordnung, einverstanden, auf jeden fall, bien sûr, d accord, volontiers, exact, exactement,
  bien entendu, claro, claro que sí, por supuesto, vale, de acuerdo, desde luego, claro que sim,
  com certeza, certo, va bene, d accordo, certamente, natuurlijk, prima, graag, akkoord, oczywiście,
  jasne, dobrze, zgoda, конечно, хорошо, согласен, согласна, ладно, верно, tabii, tamam, olur,
  elbette, お願いします, いいです, いいですよ, もちろん, 对, 對, 好, 好的, 好啊, 可以, 行, 没问题, 沒問題, 当然, 當然, أكيد, طبعا, موافق,
  حسنا, تمام, ठीक है, ज़रूर, जरूर, बिल्कुल, 좋아요, 그래요, 그래, 물론, 맞아요, 👍, ✅, ✔, ☑, 👌, 🆗, 💯
`)
const refused = toList(`
  cancel, wrong, incorrect, not really, never, don t, do not, i don t, i do not, no i don t,
  rather not, no way, not now, absolutely not, certainly not, definitely not, of course not,
  i don t think so, i d rather not, not correct, not right, no it isn t, it isn t, it is not,
  no i m not, that s not correct, that s not right, that s wrong, that is wrong, hell no, no never,
  niemals, auf keinen fall, keinesfalls, lieber nicht, nicht, natürlich nicht, bestimmt nicht,
  falsch, stimmt nicht, pas du tout, jamais, bien sûr que non, surtout pas, claro que no, para nada,
  nunca, en absoluto, por supuesto que no, claro que não, de jeito nenhum, certo que não,
  assolutamente no, per niente, mai, zeker niet, natuurlijk niet, liever niet, nigdy,
  oczywiście że nie, никогда, конечно нет, ни за что, istemiyorum, olmaz, asla, yok, 違います, 要りません,
  いりません, 不对, 不對, 不好, 不行, 不要, 不可以, 没有, 沒有, ليس, أبدا, गलत, बिल्कुल नहीं, 싫어요, 안 돼요, 👎, ❌, ✖, 🚫
`)

const courtesyWords = oneOf(`
  well oh please thanks thank_you(?:_(?:very|so)_much)? bitte danke por_favor merci gracias
  obrigad[oa] grazie bedankt dank_je dziekuje prosze спасибо пожалуйста tesekkurler lutfen شکرا
  धन्यवाद ありがとう 谢谢 謝謝 감사합니다
`)
const courtesies = new RegExp(`(?<= )${courtesyWords}(?= )`, 'g')

const toMap = (positive: string[], negative: string[]) =>
  lazily(
    () =>
      new Map<string, boolean>([
        ...positive.map((word) => [plain(word), true] as const),
        ...negative.map((word) => [plain(word), false] as const),
      ]),
  )

const booleans = toMap(yes, no)
const confirmations = toMap([...yes, ...agreed], [...no, ...refused])
/** Phrases have at most five words. */
const lengths = [5, 4, 3, 2, 1]

/** Words that count only beside a yes or no: "no, continue", "yes, forget it". */
const statements = toMap(
  [...yes, ...agreed, 'agree', 'continue', 'proceed', 'do it', 'do that', 'do .'],
  [...no, ...refused, 'stop', 'abort', 'forget it', 'forget that'],
)

/** "Don't cancel" is not a refusal. */
const reversed = / (?:not|never|don t) (?:cancel|wrong|incorrect) /

/** Returns the meanings of all phrases of a text, or undefined if it has other words. */
function findMeanings(
  words: string[],
  truths: Map<string, boolean>,
): boolean[] | undefined {
  const meanings: boolean[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = lengths.find((length) =>
      truths.has(words.slice(at, at + length).join(' ')),
    )
    if (phrase === undefined) return undefined
    meanings.push(truths.get(words.slice(at, at + phrase).join(' '))!)
    at += phrase
  }
  return meanings
}

const onlyOne = (meanings: boolean[] = []) =>
  new Set(meanings).size === 1 ? meanings[0] : undefined

/** Also shortens "yesss". */
const toWords = (text: string) =>
  ` ${plain(text)} `
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(courtesies, '')
    .split(' ')
    .filter((word) => word !== '')

export const booleanIn = (text: string) =>
  onlyOne(findMeanings(toWords(text), booleans()))

/**
 * Also reads words of agreement ("sure"), and longer answers by their first words ("yes, that is
 * right") unless the others contradict them ("yes, but not today").
 */
export function confirmationIn(text: string): boolean | undefined {
  const words = toWords(text)
  if (reversed.test(` ${words.join(' ')} `)) return undefined
  const meanings = findMeanings(words, confirmations())
  if (meanings) return onlyOne(meanings)
  const [first = '', ...others] = text.split(/[,.;!\n，。、؛،！]/u)
  const answer = booleans().get(toWords(first).join(' '))
  const rest = toWords(others.join(' '))
  return answer === undefined || contradicts(answer, rest) ? undefined : answer
}

/** Words that mean yes or no only alone. */
const otherMeanings = new Set(['on', 'off', '1', '0', 'y', 'n'])

/** After a "no", the words of agreement count unless a negation stands before them. */
function contradicts(answer: boolean, rest: string[]): boolean {
  const words = [...rest, '.']
  const isOpposite = (_: string, at: number) => {
    const phrases = lengths.map((length) => words.slice(at, at + length).join(' '))
    const phrase = phrases.find((one) => statements().has(one)) ?? ''
    return (
      statements().get(phrase) === !answer &&
      !otherMeanings.has(phrase) &&
      (answer || !isNegated(rest.slice(0, at).join(' ')))
    )
  }
  return rest.some(isOpposite) || (answer && isNegated(rest.join(' ')))
}
