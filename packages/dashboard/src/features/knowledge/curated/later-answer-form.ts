// The dialog with a curated answer, loaded when it opens.
import { lazily } from '../../../parts/lazily.tsx'

export const AnswerForm = lazily(
  async () => (await import('./answer-form.tsx')).AnswerForm,
)
