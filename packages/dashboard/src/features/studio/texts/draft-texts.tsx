// The page of texts for people who edit the flows, too.
import { useFilter } from '../../../api/filters.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { useDraftTexts } from './text-source.ts'
import { TextsView } from './texts-view.tsx'

interface DraftTextsProps {
  openFlow: (flow: string) => void
  tryDraft: () => void
}

export function DraftTexts({ openFlow, tryDraft }: DraftTextsProps) {
  const source = useDraftTexts()
  const { isEditor } = useStudio()
  const [, setLanguage] = useFilter('language')
  const preview = (language: string) => {
    setLanguage(language)
    tryDraft()
  }
  return (
    <TextsView
      source={source}
      openFlow={openFlow}
      hasDocument
      {...(isEditor && { preview })}
    />
  )
}
