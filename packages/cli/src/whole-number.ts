import { Misuse } from './failure.ts'

export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Misuse(`${option} takes a whole number, not "${text}"`)
  return Number(text)
}
