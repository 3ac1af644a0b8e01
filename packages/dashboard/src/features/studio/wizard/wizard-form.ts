// The state of a wizard's form, for its fields.
import type {
  AnswerFault,
  BookingAnswers,
  DialogueAnswers,
  FormAnswers,
  KnownTable,
  OrderAnswers,
  RatingAnswers,
} from '@botstead/flows/wizards'
import { createContext, useContext } from 'react'
import { translateProblem } from '../../../texts/of-document.ts'

type Own<Answers> = Omit<Answers, 'kind'>
type Changes = Partial<
  Own<FormAnswers> & Own<BookingAnswers> & Own<OrderAnswers> & Own<RatingAnswers>
>

export interface WizardForm {
  answers: DialogueAnswers
  change: (changes: Changes) => void
  /** Of the document and of the bot on the server. */
  tables: KnownTable[]
  /** Empty until the form was submitted. */
  faults: AnswerFault[]
}

export const WizardFormContext = createContext<WizardForm | null>(null)

export function useWizardForm(): WizardForm {
  const form = useContext(WizardFormContext)
  if (!form) throw new Error('This field is outside of a wizard')
  return form
}

/** Returns the fault of a field as a sentence that begins with its label, or false for none. */
export function useFault(field: string, label: string): string | false {
  const found = useWizardForm().faults.find((fault) => fault.field === field)
  return found !== undefined && `${label} ${translateProblem(found.message)}`
}
