// The fields of the order status, and of the question of satisfaction.
import {
  listOrderColumns,
  type OrderAnswers,
  type RatingAnswers,
} from '@botstead/flows/wizards'
import { Checkbox, Select, Textarea } from '@mantine/core'
import { texts } from '../../../texts/texts.ts'
import { useFault, useWizardForm } from './wizard-form.ts'

const t = texts.wizards

export function OrderFields() {
  const { answers, change, tables } = useWizardForm()
  const order = answers as OrderAnswers
  const columns = Object.keys(listOrderColumns(order, tables))
  return (
    <>
      <Textarea
        label={t.sentence}
        description={t.sentenceHint(
          columns.map((name) => `{${name}}`).join(texts.common.comma),
        )}
        autosize
        value={order.sentence}
        error={useFault('sentence', t.sentence)}
        onChange={(event) => change({ sentence: event.currentTarget.value })}
      />
      <Checkbox
        label={t.offersPerson}
        checked={order.offersPerson}
        onChange={(event) => change({ offersPerson: event.currentTarget.checked })}
      />
    </>
  )
}

export function RatingFields() {
  const { answers, change } = useWizardForm()
  const { question, asksComment, lowUpTo, afterHandoff } = answers as RatingAnswers
  return (
    <>
      <Textarea
        label={t.rating}
        autosize
        value={question}
        error={useFault('question', t.rating)}
        onChange={(event) => change({ question: event.currentTarget.value })}
      />
      <Checkbox
        label={t.asksComment}
        checked={asksComment}
        onChange={(event) => change({ asksComment: event.currentTarget.checked })}
      />
      <Select
        label={t.lowUpTo}
        allowDeselect={false}
        data={t.low.map((label, index) => ({ value: String(index), label }))}
        value={String(lowUpTo)}
        onChange={(chosen) => change({ lowUpTo: Number(chosen) })}
      />
      <Checkbox
        label={t.afterHandoff}
        checked={afterHandoff}
        onChange={(event) => change({ afterHandoff: event.currentTarget.checked })}
      />
    </>
  )
}
