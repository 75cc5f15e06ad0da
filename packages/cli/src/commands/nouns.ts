/** Adds the commands that work through the API: one for each operation, and the hand-written ones. */
import type { Command } from 'commander'
import type { CommandContext } from '../input/session.ts'
import { addExportFile, exportBilling, exportPlatformLedger, thisMonth } from './billing-export.ts'
import { alignPrices } from './book-prices.ts'
import { addBookShow } from './book-show.ts'
import { alignUsage, drawUsage } from './charts/billing-usage.ts'
import { drawBoard, drawCurve, drawHeatmap } from './charts/book-charts.ts'
import { addEventOrder, listNewestEvents } from './events-list.ts'
import { addEventsTail } from './events-tail.ts'
import { addImagesDownload } from './images-download.ts'
import { addImagesUpload } from './images-upload.ts'
import { addInstancesLogs } from './instances-logs.ts'
import { addInstancesWait } from './instances-wait.ts'
import { addOperationCommands } from './operation-commands.ts'
import { addOrdersTrade } from './orders-trade.ts'
import { addRun } from './run.ts'
import { addAuditSeals } from './server/audit-seals.ts'
import { addPlatformToken, platformToken } from './server/platform-token.ts'
import { addSsh } from './ssh.ts'
import { addWebhooksListen } from './webhooks-listen.ts'

/** Adds the groups by noun, `ssh` and `run`. */
export function addNouns(program: Command, context: CommandContext): void {
  const groups = addOperationCommands(program, context, {
    export_ledger: (options) => exportPlatformLedger(context, options),
    export_usage: (options) => exportBilling(context, options),
    get_orderbook_board: (options) => drawBoard(context, options),
    get_orderbook_curve: (options) => drawCurve(context, options),
    get_orderbook_heatmap: (options) => drawHeatmap(context, options),
    list_price_history: (options) => alignPrices(context, options),
    list_revenue: (options) => (options.from === undefined ? thisMonth(context, options) : undefined),
    list_events: (options) => listNewestEvents(context, options),
    list_usage: (options) => drawUsage(context, options) ?? alignUsage(context, options),
    list_platform_usage: (options) => alignUsage(context, options),
    create_token: (options) => (options.platform || options.person ? platformToken(context, options) : undefined),
  })
  addExportFile(groups.get('billing') as Command, 'export')
  addExportFile(groups.get('platform') as Command, 'ledger')
  addAuditSeals(groups.get('audit') as Command, context)
  addPlatformToken(groups.get('tokens') as Command)
  addEventOrder(groups.get('events') as Command)
  addEventsTail(groups.get('events') as Command, context)
  addBookShow(groups.get('book') as Command, context)
  addOrdersTrade(groups.get('orders') as Command, context)
  addImagesUpload(groups.get('images') as Command, context)
  addImagesDownload(groups.get('images') as Command, context)
  addInstancesWait(groups.get('instances') as Command, context)
  addInstancesLogs(groups.get('instances') as Command, context)
  addWebhooksListen(groups.get('webhooks') as Command, context)
  addSsh(program, context)
  addRun(program, context)
}
