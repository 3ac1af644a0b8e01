import type { copilot as English } from '../../../en/bot/studio/copilot.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot: typeof English = {
  title: 'コパイロット',
  close: 'コパイロットを閉じる',
  noModel: 'コパイロット用の言語モデルがありません',
  noModelHint:
    '「サーバー設定」の「言語モデル」で設定するか、サーバー管理者に依頼してください。',
  toSettings: 'サーバー設定',
  request: 'ボットに何をさせますか？',
  requestHint: '作りたいボット、変更したい点、このボットについての質問を書いてください。',
  send: '送信',
  suggestions: '候補',
  explainFlow: 'このフローを説明',
  writeTests: 'テストを作成',
  whyFailed: '失敗の原因は？',
  explainRequest: (flow: string) => `フロー「${flow}」を数文で説明してください。`,
  testsRequest: (flow: string) => `フロー「${flow}」のテストを書いてください。`,
  failedRequest: '次の会話でボットの回答が間違っていたのはなぜですか: ',
  today: (dollars: string, maxDollars: string, tokens: number, maxTokens: number) =>
    `今日: ${dollars} / ${maxDollars}、${thousands(tokens)} / ${thousands(maxTokens)}トークン`,
  cost: (dollars: string, tokens: number) => `${dollars}、${amount(tokens, 'トークン')}`,
  states: { running: '作業中…', done: '完了', stopped: '停止', failed: '失敗' },
  stop: '停止',
  steps: '作業の流れ',
  tools: {
    read_schema: '形式を確認',
    list_examples: '例を検索',
    read_example: '例を確認',
    read_draft: '下書きを確認',
    list_names: '名前を検索',
    edit_draft: 'コピーを編集',
    check_document: 'コピーを検査',
    run_tests: 'テストを実行',
    read_trace: '会話を確認',
    verify: '結果を検査してテスト',
  } as Record<string, string>,
  changes: '変更案:',
  passed: (count: number) =>
    `検査で問題は見つからず、テスト${amount(count)}に合格しました。`,
  apply: '適用',
  applied: '変更を下書きに適用しました。「元に戻す」で取り消せます。',
  nothingToApply: '下書きにはこの変更がすでにあります',
  earlier: '以前の依頼',
}
