// Keys that sign and encrypt.
import { ConfigError } from '../environment.ts'

export interface KeySection {
  /**
   * BOTSTEAD_CHAT_KEY [generated in the data folder]: Key of at least 32 bytes that signs chat user keys, for
   * bots without an encryption key.
   */
  chatKey: string | null
  /**
   * BOTSTEAD_MASTER_KEY [generated in the data folder]: 64 hexadecimal digits (32 bytes); encrypts all
   * secrets.
   */
  masterKey: string | null
  /**
   * BOTSTEAD_NEW_MASTER_KEY [none]: Master key by which `botstead keys rotate` replaces BOTSTEAD_MASTER_KEY;
   * 64 hexadecimal digits.
   */
  newMasterKey: string | null
}

export const readKeySection = (env: NodeJS.ProcessEnv): KeySection => ({
  chatKey: readLongKey(env, 'BOTSTEAD_CHAT_KEY'),
  masterKey: readHexKey(env, 'BOTSTEAD_MASTER_KEY'),
  newMasterKey: readHexKey(env, 'BOTSTEAD_NEW_MASTER_KEY'),
})

/** Requires 32 bytes, the output size of HMAC-SHA256. */
function readLongKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (Buffer.byteLength(text) < 32)
    throw new ConfigError(
      `${name} must have at least 32 bytes: it signs the keys of chat users`,
    )
  return text
}

function readHexKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${name} must be 64 hexadecimal digits (32 bytes)`)
  return text
}
