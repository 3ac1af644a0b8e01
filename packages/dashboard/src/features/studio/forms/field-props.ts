import type { ReactNode } from 'react'
import type { Field } from './schema-fields.ts'

export interface FieldProps {
  field: Field
  /** Of the value in the document. */
  pointer: string
  value: unknown
  /** The flow with the variables and nodes that the field may name. */
  flow: string | undefined
  isReadOnly: boolean
  error: ReactNode
  /** Undefined removes an optional value. */
  onChange: (value: unknown) => void
}

/** Returns a text in place of any value that a draft may have. */
export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** An empty text removes an optional value. */
export const toValue = (text: string, { isRequired }: Field) =>
  text === '' && !isRequired ? undefined : text
