// Readers of values of the environment. Each throws ConfigError with the name of the variable.
import { resolve } from 'node:path'

export class ConfigError extends Error {}

/** Returns the setting; the first word is the default. */
export function readWord<Word extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  words: [Word, ...Word[]],
): Word {
  const text = env[name] || words[0]
  const known = words.find((word) => word === text)
  if (!known)
    throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${text}"`)
  return known
}

export const readPath = (env: NodeJS.ProcessEnv, name: string) =>
  env[name] ? resolve(env[name]) : null

export const parseList = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

export function readInteger(
  env: NodeJS.ProcessEnv,
  name: string,
  otherwise: number,
  min: number,
  max: number,
): number {
  const text = env[name]
  if (!text) return otherwise
  const value = parseNumber(name, text, min, max)
  if (!Number.isInteger(value))
    throw new ConfigError(`${name} must be a whole number, not "${text}"`)
  return value
}

export function parseNumber(
  name: string,
  text: string,
  min: number,
  max: number,
): number {
  const value = Number(text)
  if (!(value >= min && value <= max))
    throw new ConfigError(`${name} must be a number from ${min} to ${max}, not "${text}"`)
  return value
}

export function readUrl(
  env: NodeJS.ProcessEnv,
  name: string,
  schemes: string[],
): string | null {
  const text = env[name]
  return text ? parseUrl(name, text, schemes) : null
}

export function parseUrl(name: string, text: string, schemes: string[]): string {
  // The message leaves out the value, which may contain a password.
  if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol))
    throw new ConfigError(
      `${name} must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`,
    )
  return text.replace(/\/+$/, '')
}
