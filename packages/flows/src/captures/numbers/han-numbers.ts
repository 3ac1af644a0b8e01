// Numbers in Chinese characters: "二十一", "三百零五", "一万二千".

const digits = '〇一二三四五六七八九'
const places: Record<string, number> = { 十: 10, 百: 100, 千: 1000 }
const wellFormed =
  /^(?:[一二两三四五六七八九]?千零?)?(?:[一二两三四五六七八九]?百零?)?(?:[一二两三四五六七八九]?十)?[一二三四五六七八九]?$/

/** Returns the number, below 100,000,000. */
export function findHanNumber(text: string): number | undefined {
  const written = text.replaceAll('萬', '万').replaceAll('兩', '两')
  const [first = '', second, ...others] = written.split('万')
  if (others.length > 0) return undefined
  if (second === undefined) return findBelow10000(first)
  const thousands = findBelow10000(first)
  const rest = second === '' ? 0 : findBelow10000(second.replace(/^零/, ''))
  return thousands && rest !== undefined ? thousands * 10_000 + rest : undefined
}

/** Numbers before the units of dates and times. */
const inDates =
  /[一二两三四五六七八九十]{1,3}(?= ?[年月日號号時时点點分])|(?<=[点點])[一三]刻/gu

/** Writes the numbers of a date or a time as digits: "三月五日", "下午三点一刻". */
export const withDigitsInDates = (text: string) =>
  text.replace(inDates, (written) => {
    if (written.endsWith('刻')) return written.startsWith('一') ? '15分' : '45分'
    return String(findBelow10000(written) ?? written)
  })

function findBelow10000(text: string): number | undefined {
  if (text === '' || !wellFormed.test(text)) return undefined
  let [sum, digit] = [0, 0]
  for (const character of text.replaceAll('零', '').replaceAll('两', '二')) {
    const place = places[character]
    if (place === undefined) digit = digits.indexOf(character)
    else {
      sum += (digit || 1) * place
      digit = 0
    }
  }
  // "二百五" is 250 in speech, and 205 in print.
  const isUnclear = digit > 0 && /[百千][一二三四五六七八九]$/.test(text)
  return isUnclear ? undefined : sum + digit
}
