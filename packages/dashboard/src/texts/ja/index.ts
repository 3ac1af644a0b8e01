// Japanese (です・ます; no space between Japanese and Latin letters; colons are ": ").
// Terms: bot = ボット, flow = フロー, dialogue = 対話, card = カード, step = ステップ, node = ノード,
// trigger = トリガー, hook = フック, variable = 変数, draft = 下書き, publish = 公開, version = バージョン,
// deployment = デプロイ, integration = 連携, channel = チャネル, webhook = Webhook, token = トークン,
// workspace = ワークスペース, member = メンバー, role = ロール, agent (role) = オペレーター, handoff = 引き継ぎ,
// take over = 引き継ぐ, person in place of the bot = 担当者, inbox = 受信トレイ, visitor = 訪問者, user = ユーザー,
// conversation = 会話, event = イベント, delivery = 配信, redeliver = 再配信, dead letter = 失敗した配信,
// issue = 問題, problem of a draft = エラー, tag = タグ, table = テーブル, row = 行, column = 列, view = ビュー,
// knowledge base = ナレッジベース, document = ドキュメント, bot document = ボット定義ファイル, passage = 抜粋,
// curated answer = 登録した回答, unanswered question = 未回答の質問, canned reply = 定型文, broadcast = 一斉送信,
// recipient = 送信先, retention = 保持期間, erasure = 消去, archive = アーカイブ, backup = バックアップ,
// usage = 使用量, quota = 上限, audit log = 監査ログ, trace = トレース, redaction = マスキング

export { account } from './account.ts'
export { archives, backups } from './archives.ts'
export { bot } from './bot/bot.ts'
export { broadcasts } from './bot/broadcasts.ts'
export { channels } from './bot/channels.ts'
export { chat } from './bot/chat.ts'
export { conversations } from './bot/conversations.ts'
export { deliveries } from './bot/deliveries.ts'
export { firstSteps } from './bot/first-steps.ts'
export { inbox } from './bot/inbox.ts'
export { integrations } from './bot/integrations.ts'
export { issues } from './bot/issues.ts'
export { checks, curated, unanswered } from './bot/knowledge/curated.ts'
export { knowledge } from './bot/knowledge/knowledge.ts'
export { logs } from './bot/logs.ts'
export { messages } from './bot/messages.ts'
export { personalData } from './bot/personal-data.ts'
export { persons } from './bot/persons.ts'
export { privacy } from './bot/privacy.ts'
export { settings } from './bot/settings.ts'
export { copilot } from './bot/studio/copilot.ts'
export { emulator } from './bot/studio/emulator.ts'
export { studio } from './bot/studio/studio.ts'
export { wizards } from './bot/studio/wizards.ts'
export { tableViews } from './bot/tables/table-views.ts'
export { tables } from './bot/tables/tables.ts'
export { trace } from './bot/trace.ts'
export { users } from './bot/users.ts'
export { versions } from './bot/versions.ts'
export { bots } from './bots.ts'
export { common } from './common.ts'
export { filters } from './filters.ts'
export { forms } from './forms.ts'
export { installation } from './installation.ts'
export { states, tags } from './objects.ts'
export { search } from './search.ts'
export { serverSettings } from './server-settings.ts'
export { shell } from './shell.ts'
export { invitation, signIn } from './sign-in.ts'
export { usage } from './usage.ts'
export { access, audit, members, tokens } from './workspace.ts'
