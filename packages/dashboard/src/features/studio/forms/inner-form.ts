// Fields that contain others get the components of these by a context: each imports the other otherwise.
import { type ComponentType, createContext, useContext } from 'react'
import type { Field, Schema } from './schema-fields.ts'

export interface FieldViewProps {
  field: Field
  pointer: string
  value: unknown
  flow: string | undefined
}

export interface ObjectFormProps {
  schema: Schema
  pointer: string
  value: Record<string, unknown>
  flow: string | undefined
  /** Fields that another part of the page changes. */
  without?: string[]
}

interface Parts {
  FieldView: ComponentType<FieldViewProps>
  ObjectForm: ComponentType<ObjectFormProps>
}

export const InnerForm = createContext<Parts | null>(null)

export function useInnerForm(): Parts {
  const parts = useContext(InnerForm)
  if (!parts) throw new Error('This field is outside of a form')
  return parts
}
