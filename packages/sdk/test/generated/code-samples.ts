/** Generated from openapi.json by `npm run gen`. Do not edit. Never run: the compiler alone checks it. */
import { createClient } from '../../src/sdk.ts'

const client = createClient()

/** The samples of the SDK in the reference, by operation. */
export const samples = {
  async get_account() {
    const account = await client.account.get()
    console.log(account)
  },
  async list_limits() {
    for await (const limit of client.limits.list()) {
      console.log(limit)
    }
  },
  async get_limit() {
    const limit = await client.limits.get('instances')
    console.log(limit)
  },
  async create_workspace() {
    const workspace = await client.workspaces.create({ name: 'inference' })
    console.log(workspace)
  },
  async list_workspaces() {
    for await (const workspace of client.workspaces.list()) {
      console.log(workspace)
    }
  },
  async get_workspace() {
    const workspace = await client.workspaces.get('svc:workspace:acme:inference')
    console.log(workspace)
  },
  async update_workspace() {
    const workspace = await client.workspaces.update('svc:workspace:acme:inference', { name: 'serving' })
    console.log(workspace)
  },
  async delete_workspace() {
    await client.workspaces.delete('svc:workspace:acme:serving')
  },
  async create_user() {
    const user = await client.users.create({
      email: 'grace@acme.example',
      name: 'grace',
      first_name: 'Grace',
      last_name: 'Hopper',
    })
    console.log(user)
  },
  async list_users() {
    for await (const user of client.users.list()) {
      console.log(user)
    }
  },
  async get_user() {
    const user = await client.users.get('usr_3Mj474TRmxv1kbJpSBP--')
    console.log(user)
  },
  async update_user() {
    const user = await client.users.update('svc:user:acme:grace', { last_name: 'Murray' })
    console.log(user)
  },
  async delete_user() {
    const deletedUser = await client.users.delete('svc:user:acme:grace')
    console.log(deletedUser)
  },
  async create_user_sign_in_link() {
    const signInLink = await client.users.createSignInLink('svc:user:acme:grace')
    console.log(signInLink)
  },
  async end_user_sessions() {
    await client.users.endSessions('svc:user:acme:grace')
  },
  async list_user_identities() {
    for await (const identity of client.userIdentities.list('usr_3Mj474TRmxv1kbJpSBP--')) {
      console.log(identity)
    }
  },
  async delete_user_identity() {
    await client.userIdentities.delete({
      id: 'svc:user:acme:ada',
      identity: 'idnt_Qw3mVtYd1ZcN0pLhXe8kR',
    })
  },
  async list_user_passkeys() {
    for await (const passkey of client.userPasskeys.list('usr_3Mj474TRmxv1kbJpSBP--')) {
      console.log(passkey)
    }
  },
  async create_user_passkey() {
    const createdPasskey = await client.userPasskeys.create('svc:user:acme:ada', {
      name: 'trainer-3',
      credential_id: '8s0vYd1ZcN0pLhXe8kRQwA',
      client_data_json: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      attestation_object: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
      transports: ['internal'],
    })
    console.log(createdPasskey)
  },
  async update_user_passkey() {
    const passkey = await client.userPasskeys.update({
      id: 'svc:user:acme:ada',
      passkey: 'pkey_Qw3mVtYd1ZcN0pLhXe8kR',
    }, { name: 'trainer-3' })
    console.log(passkey)
  },
  async delete_user_passkey() {
    await client.userPasskeys.delete({
      id: 'svc:user:acme:ada',
      passkey: 'pkey_Qw3mVtYd1ZcN0pLhXe8kR',
    })
  },
  async create_recovery_codes() {
    const recoveryCodes = await client.recoveryCodes.create('svc:user:acme:ada')
    console.log(recoveryCodes)
  },
  async create_ssh_key() {
    const sshKey = await client.sshKeys.create({
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@laptop',
    })
    console.log(sshKey)
  },
  async list_ssh_keys() {
    for await (const sshKey of client.sshKeys.list()) {
      console.log(sshKey)
    }
  },
  async get_ssh_key() {
    const sshKey = await client.sshKeys.get('sshk_TpCjvwJ0NBIzkRKiqGJ4K')
    console.log(sshKey)
  },
  async delete_ssh_key() {
    const deletedSshKey = await client.sshKeys.delete('sshk_TpCjvwJ0NBIzkRKiqGJ4K')
    console.log(deletedSshKey)
  },
  async list_roles() {
    for await (const role of client.roles.list()) {
      console.log(role)
    }
  },
  async create_role() {
    const role = await client.roles.create({
      name: 'runner',
      policy: {
        api_version: 'roles/v1',
        description: 'Runs instances, without buying.',
        rules: [
          {
            effect: 'allow',
            actions: {
              instance: ['*'],
              image: ['read', 'list'],
              pool: ['read', 'list'],
            },
          },
        ],
      },
    })
    console.log(role)
  },
  async get_role() {
    const role = await client.roles.get('svc:role:acme:runner')
    console.log(role)
  },
  async update_role() {
    const role = await client.roles.update('svc:role:acme:runner', { name: 'launcher' })
    console.log(role)
  },
  async delete_role() {
    await client.roles.delete('svc:role:acme:launcher')
  },
  async create_grant() {
    const grant = await client.grants.create({
      principal_type: 'user',
      principal_id: 'usr_Aj4h2a_Qv0GL_tQe75CFR',
      role: 'role_DSdMa-VEYZh24k89llLMC',
      workspace: 'svc:workspace:acme:default',
    })
    console.log(grant)
  },
  async list_grants() {
    for await (const grant of client.grants.list()) {
      console.log(grant)
    }
  },
  async get_grant() {
    const grant = await client.grants.get('grnt_LFf8vIt6YzjsPo1BX7MmQ')
    console.log(grant)
  },
  async delete_grant() {
    await client.grants.delete('grnt_LFf8vIt6YzjsPo1BX7MmQ')
  },
  async list_names() {
    for await (const shownName of client.names.list({ ids: 'sku__-sUVUX3Yw-WuExZbtH4m' })) {
      console.log(shownName)
    }
  },
  async check_permissions() {
    const permissionCheck = await client.permissions.check({
      actions: ['instance:create', 'order:create'],
      workspace: 'svc:workspace:acme:research',
    })
    console.log(permissionCheck)
  },
  async get_permissions() {
    const permissions = await client.permissions.get()
    console.log(permissions)
  },
  async create_token() {
    const createdToken = await client.tokens.create({
      name: 'nightly-jobs',
      roles: ['role_operator'],
      expires_at: 1803200400,
    })
    console.log(createdToken)
  },
  async list_tokens() {
    for await (const token of client.tokens.list()) {
      console.log(token)
    }
  },
  async get_token() {
    const token = await client.tokens.get('tokn_OGK5DsJlqD5B_zQ1G4dlX')
    console.log(token)
  },
  async delete_token() {
    await client.tokens.delete('tokn_OGK5DsJlqD5B_zQ1G4dlX')
  },
  async start_device_login() {
    const deviceLogin = await client.deviceLogin.start({ client_name: 'The command line on laptop-7' })
    console.log(deviceLogin)
  },
  async finish_device_login() {
    const deviceToken = await client.deviceLogin.finish({
      device_code: 'Qw3mVtYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRA',
    })
    console.log(deviceToken)
  },
  async start_passkey_registration() {
    const passkeyRegistration = await client.passkeyRegistration.start({})
    console.log(passkeyRegistration)
  },
  async start_passkey_sign_in() {
    const passkeyChallenge = await client.passkeySignIn.start({})
    console.log(passkeyChallenge)
  },
  async finish_passkey_sign_in() {
    const signedIn = await client.passkeySignIn.finish({
      credential_id: '8s0vYd1ZcN0pLhXe8kRQwA',
      client_data_json: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      signature: 'Qw3mVtYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRQw',
      user_handle: 'dXNyX1F3M21WdFlkMVpjTjBwTGhYZThrUg',
      is_step_up: true,
    })
    console.log(signedIn)
  },
  async use_recovery_code() {
    const signedIn = await client.recoveryCode.use({ code: 'name_taken', is_step_up: true })
    console.log(signedIn)
  },
  async list_audit_entries() {
    for await (const auditEntry of client.auditEntries.list({ operation: 'update_role' })) {
      console.log(auditEntry)
    }
  },
  async list_all_audit_entries() {
    for await (const auditEntry of client.allAuditEntries.list({ operation: 'create_account' })) {
      console.log(auditEntry)
    }
  },
  async list_events() {
    for await (const event of client.events.list({ target_type: 'instance' })) {
      console.log(event)
    }
  },
  async stream_events() {
    for await (const event of client.events.follow()) {
      console.log(event)
    }
  },
  async create_webhook() {
    const webhookWithSecret = await client.webhooks.create({
      url: 'https://hooks.acme.example/bourse',
      description: 'Pager of the training team',
      actions: ['instance.termination_imminent', 'instance.failed'],
      enabled: false,
    })
    console.log(webhookWithSecret)
  },
  async list_webhooks() {
    for await (const webhook of client.webhooks.list()) {
      console.log(webhook)
    }
  },
  async get_webhook() {
    const webhook = await client.webhooks.get('whk_oveA56DM9o8lRSvHkDPMe')
    console.log(webhook)
  },
  async update_webhook() {
    const webhook = await client.webhooks.update('whk_oveA56DM9o8lRSvHkDPMe', { ordering: 'per_target', enabled: true })
    console.log(webhook)
  },
  async delete_webhook() {
    await client.webhooks.delete('whk_oveA56DM9o8lRSvHkDPMe')
  },
  async rotate_webhook_secret() {
    const webhookWithSecret = await client.webhooks.rotateSecret('whk_oveA56DM9o8lRSvHkDPMe')
    console.log(webhookWithSecret)
  },
  async test_webhook() {
    const webhookDelivery = await client.webhooks.test('whk_oveA56DM9o8lRSvHkDPMe')
    console.log(webhookDelivery)
  },
  async replay_webhook() {
    const webhook = await client.webhooks.replay('whk_oveA56DM9o8lRSvHkDPMe', { starting_after: 'evtc_dITDJLoOblcsKx5Y3IAuB3AI' })
    console.log(webhook)
  },
  async list_webhook_deliveries() {
    for await (const webhookDelivery of client.webhooks.listDeliveries('whk_oveA56DM9o8lRSvHkDPMe')) {
      console.log(webhookDelivery)
    }
  },
  async get_webhook_delivery() {
    const webhookDelivery = await client.webhooks.getDelivery({
      id: 'whk_oveA56DM9o8lRSvHkDPMe',
      delivery: 'wdlv_7Ne6BEnISr3qT2LZzyYqt',
    })
    console.log(webhookDelivery)
  },
  async redeliver_webhook_delivery() {
    const webhookDelivery = await client.webhooks.redeliver({
      id: 'whk_oveA56DM9o8lRSvHkDPMe',
      delivery: 'wdlv_7Ne6BEnISr3qT2LZzyYqt',
    })
    console.log(webhookDelivery)
  },
  async list_webhook_keys() {
    for await (const webhookKey of client.webhookKeys.list()) {
      console.log(webhookKey)
    }
  },
  async get_balance() {
    const balance = await client.balance.get()
    console.log(balance)
  },
  async put_balance_threshold() {
    const balance = await client.balanceThreshold.put({ low_at_dollars: '50.00' })
    console.log(balance)
  },
  async list_transactions() {
    for await (const transaction of client.transactions.list()) {
      console.log(transaction)
    }
  },
  async list_holds() {
    for await (const hold of client.holds.list()) {
      console.log(hold)
    }
  },
  async list_account_transactions() {
    for await (const transaction of client.accountTransactions.list('acme')) {
      console.log(transaction)
    }
  },
  async create_account_transaction() {
    const transaction = await client.accountTransactions.create('acme', {
      type: 'manual_payment',
      amount_dollars: '2500.00',
      description: 'Invoice 2026-118',
    })
    console.log(transaction)
  },
  async put_credit_limit() {
    const balance = await client.limits.putCredit('acme', { credit_limit_dollars: '1000.00' })
    console.log(balance)
  },
  async create_pending_credit() {
    const pendingCredit = await client.pendingCredits.create('acme', {
      type: 'credit_grant',
      amount_dollars: '250000.00',
      description: 'Framework contract 2026',
    })
    console.log(pendingCredit)
  },
  async list_pending_credits() {
    for await (const pendingCredit of client.pendingCredits.list({ state: 'pending' })) {
      console.log(pendingCredit)
    }
  },
  async get_pending_credit() {
    const pendingCredit = await client.pendingCredits.get('pcrd_s4B-KjmFKCoiDOi1u6tTy')
    console.log(pendingCredit)
  },
  async approve_pending_credit() {
    const pendingCredit = await client.pendingCredits.approve('pcrd_s4B-KjmFKCoiDOi1u6tTy')
    console.log(pendingCredit)
  },
  async refuse_pending_credit() {
    const pendingCredit = await client.pendingCredits.refuse('pcrd_GBqH77AmWAyaBgKRjWlsf')
    console.log(pendingCredit)
  },
  async list_usage() {
    for await (const usage of client.usage.list({ from: 1795305600, to: 1795478400 })) {
      console.log(usage)
    }
  },
  async export_usage() {
    const text = await client.usage.export({ from: 1795392000, to: 1795478400 })
    console.log(text)
  },
  async get_statement() {
    const statement = await client.statement.get('2026-11')
    console.log(statement)
  },
  async create_budget() {
    const budget = await client.budgets.create({
      name: 'research',
      workspace: 'svc:workspace:acme:research',
      period: 'month',
      amount_dollars: '5000.00',
      thresholds_percent: [50, 80],
      hard_stop: true,
    })
    console.log(budget)
  },
  async list_budgets() {
    for await (const budget of client.budgets.list()) {
      console.log(budget)
    }
  },
  async get_budget() {
    const budget = await client.budgets.get('bdgt_lIAyWyuG5sC476gGquUr9')
    console.log(budget)
  },
  async update_budget() {
    const budget = await client.budgets.update('bdgt_lIAyWyuG5sC476gGquUr9', { amount_dollars: '7500.00' })
    console.log(budget)
  },
  async delete_budget() {
    await client.budgets.delete('bdgt_lIAyWyuG5sC476gGquUr9')
  },
  async list_skus() {
    for await (const sku of client.skus.list()) {
      console.log(sku)
    }
  },
  async get_sku() {
    const sku = await client.skus.get('sku__-sUVUX3Yw-WuExZbtH4m')
    console.log(sku)
  },
  async list_sku_properties() {
    for await (const skuProperty of client.skuProperties.list()) {
      console.log(skuProperty)
    }
  },
  async create_pool() {
    const pool = await client.pools.create({ name: 'bought', tags: { team: 'training' } })
    console.log(pool)
  },
  async list_pools() {
    for await (const pool of client.pools.list()) {
      console.log(pool)
    }
  },
  async get_pool() {
    const pool = await client.pools.get('svc:pool:acme:default:bought')
    console.log(pool)
  },
  async update_pool() {
    const pool = await client.pools.update('svc:pool:acme:default:bought', {
      name: 'training-extra',
      tags: { team: 'training', stage: 'test' },
    })
    console.log(pool)
  },
  async delete_pool() {
    await client.pools.delete('svc:pool:acme:default:scratch')
  },
  async create_read_only_pool() {
    const pool = await client.pools.createReadOnly({
      account: 'acme',
      workspace: 'svc:workspace:acme:default',
      name: 'granted',
      from_pool: 'pool_zcLt4AlG2WK2j_ZZwjvv5',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      allocation_schedule: [
        { start_at: 1795510800, end_at: 1795597200, node_count: 1 },
      ],
    })
    console.log(pool)
  },
  async list_platform_pools() {
    for await (const platformPool of client.platformPools.list({ account: 'acme' })) {
      console.log(platformPool)
    }
  },
  async get_market_halt() {
    const marketHalt = await client.marketHalt.get()
    console.log(marketHalt)
  },
  async halt_market() {
    const marketHalt = await client.market.halt({
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      message: 'The fabric is being replaced.',
    })
    console.log(marketHalt)
  },
  async resume_market() {
    const marketHalt = await client.market.resume({ sku: 'sku__-sUVUX3Yw-WuExZbtH4m' })
    console.log(marketHalt)
  },
  async create_maintenance_window() {
    const maintenanceWindow = await client.maintenanceWindows.create({
      start_at: 1795597200,
      end_at: 1795604400,
      maintenance_type: 'degraded_performance',
      title: 'New switches in us-west-1a',
      description: 'The network is slower while switches are replaced, one after the other.',
      sku: ['sku__-sUVUX3Yw-WuExZbtH4m'],
    })
    console.log(maintenanceWindow)
  },
  async list_maintenance_windows() {
    for await (const maintenanceWindow of client.maintenanceWindows.list()) {
      console.log(maintenanceWindow)
    }
  },
  async delete_maintenance_window() {
    await client.maintenanceWindows.delete('mwin_TU-mOlZdGL63zHbhbSlCM')
  },
  async create_pool_transfer() {
    const poolTransfer = await client.poolTransfers.create({
      from_pool: 'svc:pool:acme:default:training-extra',
      to_pool: 'svc:pool:acme:default:spare-nodes',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      allocation_schedule_delta: [
        { start_at: 1795428000, end_at: 1795431600, node_count: 1 },
      ],
    })
    console.log(poolTransfer)
  },
  async list_pool_transfers() {
    for await (const poolTransfer of client.poolTransfers.list()) {
      console.log(poolTransfer)
    }
  },
  async get_pool_transfer() {
    const poolTransfer = await client.poolTransfers.get('pxfr_gW47e_7bN50LGQxjTGCCF')
    console.log(poolTransfer)
  },
  async create_order() {
    const order = await client.orders.create({
      pool: 'svc:pool:acme:default:bought',
      side: 'buy',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      allocation_schedule_delta: [
        { start_at: 1795428000, end_at: 1795435200, node_count: 2 },
      ],
      limit_price_dollars_per_node_hour: '14.676502',
      allow_standing: false,
      allow_partial: false,
    })
    console.log(order)
  },
  async list_orders() {
    for await (const order of client.orders.list()) {
      console.log(order)
    }
  },
  async get_order() {
    const order = await client.orders.get('ordr_-4_8CP0Uax6zUqcH-bCRk')
    console.log(order)
  },
  async cancel_order() {
    await client.orders.cancel('ordr__RDTs9qu6rXHtE845LAT_')
  },
  async list_order_fills() {
    for await (const fill of client.orderFills.list('ordr_-4_8CP0Uax6zUqcH-bCRk')) {
      console.log(fill)
    }
  },
  async amend_order() {
    const order = await client.orders.amend('ordr_Zg-UZP6zPOoP5mK5TtsYV', { node_count: 3, limit_price_dollars_per_node_hour: '1.10' })
    console.log(order)
  },
  async explain_order() {
    const orderExplanation = await client.orders.explain('ordr_-4_8CP0Uax6zUqcH-bCRk')
    console.log(orderExplanation)
  },
  async create_order_estimate() {
    const orderEstimate = await client.orders.createEstimate({
      side: 'buy',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      start_at: 1795428000,
      duration_seconds: 7200,
      node_count: 2,
    })
    console.log(orderEstimate)
  },
  async get_orderbook_status() {
    const orderbookStatus = await client.orderbookStatus.get({ sku: 'sku__-sUVUX3Yw-WuExZbtH4m' })
    console.log(orderbookStatus)
  },
  async list_orderbook_windows() {
    for await (const orderbookWindow of client.orderbookWindows.list({ range_start_at: 1795424400, range_end_at: 1795446000 })) {
      console.log(orderbookWindow)
    }
  },
  async get_orderbook_quote() {
    const orderbookQuote = await client.orderbookQuote.get({
      start_at: 1795428000,
      end_at: 1795431600,
      requirements: 'alias:h100-west',
    })
    console.log(orderbookQuote)
  },
  async get_orderbook_depth() {
    const orderbookDepth = await client.orderbookDepth.get({
      start_at: 1795428000,
      end_at: 1795431600,
      requirements: 'alias:h100-west',
    })
    console.log(orderbookDepth)
  },
  async list_orderbook_fills() {
    for await (const orderbookFill of client.orderbookFills.list({
      start_at: 1795428000,
      end_at: 1795431600,
      requirements: 'alias:h100-west',
    })) {
      console.log(orderbookFill)
    }
  },
  async list_price_history() {
    for await (const priceBucket of client.priceHistory.list({ sku: 'sku__-sUVUX3Yw-WuExZbtH4m' })) {
      console.log(priceBucket)
    }
  },
  async get_orderbook_curve() {
    const orderbookCurve = await client.orderbookCurve.get({
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      from: 1795428000,
      to: 1795435200,
      length_minutes: 120,
      node_count: 2,
    })
    console.log(orderbookCurve)
  },
  async get_orderbook_heatmap() {
    const orderbookHeatmap = await client.orderbookHeatmap.get({
      sku: ['sku__-sUVUX3Yw-WuExZbtH4m'],
      from: 1795424400,
      to: 1795431600,
    })
    console.log(orderbookHeatmap)
  },
  async get_orderbook_board() {
    const orderbookBoard = await client.orderbookBoard.get({ sku: ['sku__-sUVUX3Yw-WuExZbtH4m'], hours: 2 })
    console.log(orderbookBoard)
  },
  async list_sku_availability() {
    for await (const skuAvailability of client.skuAvailability.list({ start_at: 1795428000, end_at: 1795431600 })) {
      console.log(skuAvailability)
    }
  },
  async get_sku_availability() {
    const skuAvailability = await client.skuAvailability.get('sku__-sUVUX3Yw-WuExZbtH4m', { start_at: 1795428000, end_at: 1795431600 })
    console.log(skuAvailability)
  },
  async create_image() {
    const image = await client.images.create({ name: 'trainer-3' })
    console.log(image)
  },
  async list_images() {
    for await (const image of client.images.list({ state: 'completed' })) {
      console.log(image)
    }
  },
  async create_image_part() {
    const imagePartUrl = await client.imageParts.create('svc:image:acme:default:trainer-3', { part_id: 1 })
    console.log(imagePartUrl)
  },
  async list_image_parts() {
    for await (const imagePart of client.imageParts.list('svc:image:acme:default:trainer-3')) {
      console.log(imagePart)
    }
  },
  async complete_image() {
    const image = await client.images.complete('svc:image:acme:default:trainer-3', {
      sha256: '76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5',
    })
    console.log(image)
  },
  async get_image_download() {
    const imageDownload = await client.images.getDownload('svc:image:acme:default:trainer-3')
    console.log(imageDownload)
  },
  async get_image() {
    const image = await client.images.get('image_FlOSp3HYmqfTSgok_jXyI')
    console.log(image)
  },
  async delete_image() {
    await client.images.delete('svc:image:acme:default:trainer-3')
  },
  async revoke_image() {
    const image = await client.images.revoke('svc:image:acme:default:trainer-3')
    console.log(image)
  },
  async reinstate_image() {
    const image = await client.images.reinstate('svc:image:acme:default:trainer-3')
    console.log(image)
  },
  async deprecate_image() {
    const image = await client.images.deprecate('svc:image:acme:default:trainer-3', { message: 'Use trainer-4: it has the new driver.' })
    console.log(image)
  },
  async create_firewall() {
    const firewall = await client.firewalls.create({
      name: 'gateway',
      rules: [
        {
          protocol: 'tcp',
          port_from: 443,
          source_cidr: '0.0.0.0/0',
          description: 'HTTPS',
        },
        {
          protocol: 'tcp',
          port_from: 22,
          source_cidr: '203.0.113.0/24',
          description: 'SSH from the office',
        },
      ],
      tags: { tier: 'front' },
    })
    console.log(firewall)
  },
  async list_firewalls() {
    for await (const firewall of client.firewalls.list()) {
      console.log(firewall)
    }
  },
  async get_firewall() {
    const firewall = await client.firewalls.get('frwl_gY2fLYLa5ZYFidiNxH0ct')
    console.log(firewall)
  },
  async update_firewall() {
    const firewall = await client.firewalls.update('svc:firewall:acme:default:gateway', { name: 'entry' })
    console.log(firewall)
  },
  async delete_firewall() {
    await client.firewalls.delete('svc:firewall:acme:default:entry')
  },
  async replace_firewall_rules() {
    const firewall = await client.firewalls.replaceRules('svc:firewall:acme:default:entry', {
      rules: [
        {
          protocol: 'tcp',
          port_from: 443,
          source_cidr: '0.0.0.0/0',
          description: 'HTTPS',
        },
      ],
    })
    console.log(firewall)
  },
  async create_subnet() {
    const subnet = await client.subnets.create({ name: 'storage', region: 'us-west', cidr: '10.40.0.0/20' })
    console.log(subnet)
  },
  async list_subnets() {
    for await (const subnet of client.subnets.list()) {
      console.log(subnet)
    }
  },
  async get_subnet() {
    const subnet = await client.subnets.get('snet_v9A4nqrSOeoMohBIKI2aP')
    console.log(subnet)
  },
  async update_subnet() {
    const subnet = await client.subnets.update('svc:subnet:acme:default:storage', { name: 'cache' })
    console.log(subnet)
  },
  async delete_subnet() {
    await client.subnets.delete('svc:subnet:acme:default:cache')
  },
  async create_infiniband_partition() {
    const infinibandPartition = await client.infinibandPartitions.create({ name: 'sweeps', infiniband_fabric: 'west-ib' })
    console.log(infinibandPartition)
  },
  async list_infiniband_partitions() {
    for await (const infinibandPartition of client.infinibandPartitions.list()) {
      console.log(infinibandPartition)
    }
  },
  async get_infiniband_partition() {
    const infinibandPartition = await client.infinibandPartitions.get('ibpart_leI_yVF7xpvgj884GtRjx')
    console.log(infinibandPartition)
  },
  async update_infiniband_partition() {
    const infinibandPartition = await client.infinibandPartitions.update('svc:infiniband_partition:acme:default:sweeps', { tags: { team: 'training' } })
    console.log(infinibandPartition)
  },
  async delete_infiniband_partition() {
    await client.infinibandPartitions.delete('svc:infiniband_partition:acme:default:sweeps')
  },
  async create_instance_template() {
    const instanceTemplate = await client.instanceTemplates.create({
      name: 'evaluator',
      image: 'svc:image:acme:default:trainer-2',
      cloud_init_user_data: 'I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW2h0b3BdCg==',
      priority_level: 'normal',
      tags: { team: 'training' },
    })
    console.log(instanceTemplate)
  },
  async list_instance_templates() {
    for await (const instanceTemplate of client.instanceTemplates.list()) {
      console.log(instanceTemplate)
    }
  },
  async get_instance_template() {
    const instanceTemplate = await client.instanceTemplates.get('itmpl_-koIqkGst0stwoVJJzq4j')
    console.log(instanceTemplate)
  },
  async delete_instance_template() {
    await client.instanceTemplates.delete('svc:instance_template:acme:default:evaluator')
  },
  async get_instance_template_cloud_init() {
    const cloudInitUserData = await client.instanceTemplates.getCloudInit('itmpl_-koIqkGst0stwoVJJzq4j')
    console.log(cloudInitUserData)
  },
  async create_instance() {
    const instance = await client.instances.create({
      pool: 'svc:pool:acme:default:training',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      name: 'evaluation',
      image: 'svc:image:acme:default:trainer-2',
      tags: { team: 'training' },
    })
    console.log(instance)
  },
  async list_instances() {
    for await (const instance of client.instances.list({ state: 'running' })) {
      console.log(instance)
    }
  },
  async update_instance_priorities() {
    const instanceList = await client.instances.updatePriorities({
      data: [
        {
          id: 'svc:instance:acme:default:evaluation',
          priority_level: 'critical',
        },
        { id: 'inst_tK0Q-lubQ2fqyAd_osIPJ', priority_level: null },
      ],
    })
    console.log(instanceList)
  },
  async get_instance() {
    const instance = await client.instances.get('inst_tK0Q-lubQ2fqyAd_osIPJ')
    console.log(instance)
  },
  async update_instance() {
    const instance = await client.instances.update('svc:instance:acme:default:evaluation', {
      tags: { team: 'training', run: '42' },
      priority_level: 'preferred',
    })
    console.log(instance)
  },
  async delete_instance() {
    await client.instances.delete('svc:instance:acme:default:evaluation-2')
  },
  async terminate_instance() {
    const instance = await client.instances.terminate('svc:instance:acme:default:evaluation-2')
    console.log(instance)
  },
  async replace_instance() {
    const instance = await client.instances.replace('svc:instance:acme:default:evaluation', {
      image: 'svc:image:bourse:public:ubuntu-24.04',
      name: 'evaluation-2',
    })
    console.log(instance)
  },
  async get_instance_cloud_init() {
    const cloudInitUserData = await client.instances.getCloudInit('inst_tK0Q-lubQ2fqyAd_osIPJ')
    console.log(cloudInitUserData)
  },
  async list_instance_logs() {
    for await (const logChunk of client.instances.listLogs('inst_tK0Q-lubQ2fqyAd_osIPJ')) {
      console.log(logChunk)
    }
  },
  async stream_instance_logs() {
    for await (const chunk of client.instances.followLogs('inst_tK0Q-lubQ2fqyAd_osIPJ')) {
      console.log(chunk)
    }
  },
  async get_instance_ssh() {
    const instanceSsh = await client.instances.getSsh('inst_tK0Q-lubQ2fqyAd_osIPJ')
    console.log(instanceSsh)
  },
  async get_instance_attestation() {
    const instanceAttestation = await client.instances.getAttestation('inst_tK0Q-lubQ2fqyAd_osIPJ')
    console.log(instanceAttestation)
  },
  async explain_instance() {
    const instanceExplanation = await client.instances.explain('inst_alg5uKIwxtpyn4Ir5RomU')
    console.log(instanceExplanation)
  },
  async list_hosts() {
    for await (const host of client.hosts.list()) {
      console.log(host)
    }
  },
  async get_host() {
    const host = await client.hosts.get('host_ZK7GTj0kazmY2hRRdnb9b')
    console.log(host)
  },
  async update_host() {
    const host = await client.hosts.update('host_ZK7GTj0kazmY2hRRdnb9b', { name: 'rack-12-node-3' })
    console.log(host)
  },
  async cordon_host() {
    const host = await client.hosts.cordon('host_ZK7GTj0kazmY2hRRdnb9b')
    console.log(host)
  },
  async uncordon_host() {
    const host = await client.hosts.uncordon('host_ZK7GTj0kazmY2hRRdnb9b')
    console.log(host)
  },
  async drain_host() {
    const host = await client.hosts.drain('host_ZK7GTj0kazmY2hRRdnb9b', { deadline_at: 1795424580 })
    console.log(host)
  },
  async retire_host() {
    const host = await client.hosts.retire('host_ZK7GTj0kazmY2hRRdnb9b', { force: false })
    console.log(host)
  },
  async create_host_enrolment() {
    const createdHostEnrolment = await client.hostEnrolments.create({
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
      slots: 1,
      uses: 8,
      expires_in_seconds: 86400,
    })
    console.log(createdHostEnrolment)
  },
  async list_host_enrolments() {
    for await (const hostEnrolment of client.hostEnrolments.list()) {
      console.log(hostEnrolment)
    }
  },
  async get_host_enrolment() {
    const hostEnrolment = await client.hostEnrolments.get('henr_1yG0dRrGX9OvkDEF5R0KJ')
    console.log(hostEnrolment)
  },
  async delete_host_enrolment() {
    await client.hostEnrolments.delete('henr_1yG0dRrGX9OvkDEF5R0KJ')
  },
  async create_deployment() {
    const deployment = await client.deployments.create({
      kind: 'spot',
      name: 'crunch',
      pool: 'svc:pool:acme:default:training-extra',
      instance_template: 'svc:instance_template:acme:default:trainer',
      target_instance_count: 2,
      max_buy_price_dollars_per_node_hour: '20.00',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
    })
    console.log(deployment)
  },
  async list_deployments() {
    for await (const deployment of client.deployments.list()) {
      console.log(deployment)
    }
  },
  async get_deployment() {
    const deployment = await client.deployments.get('depl_Ftu45y6Ub2Lue6-O6_Kir')
    console.log(deployment)
  },
  async update_deployment() {
    const deployment = await client.deployments.update('svc:deployment:acme:default:crunch', {
      target_instance_count: 1,
      max_buy_price_dollars_per_node_hour: '18.00',
    })
    console.log(deployment)
  },
  async delete_deployment() {
    await client.deployments.delete('svc:deployment:acme:default:crunch')
  },
  async create_procurement() {
    const procurement = await client.procurements.create({
      name: 'keep-two',
      pool: 'svc:pool:acme:default:training-extra',
      target: 2,
      min_sell_price_dollars_per_node_hour: '12.00',
      max_buy_price_dollars_per_node_hour: '20.00',
      managed_window_minutes: 180,
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
    })
    console.log(procurement)
  },
  async list_procurements() {
    for await (const procurement of client.procurements.list()) {
      console.log(procurement)
    }
  },
  async get_procurement() {
    const procurement = await client.procurements.get('svc:procurement:acme:default:keep-two')
    console.log(procurement)
  },
  async update_procurement() {
    const procurement = await client.procurements.update('svc:procurement:acme:default:keep-two', { target: 3, max_buy_price_dollars_per_node_hour: '18.50' })
    console.log(procurement)
  },
  async delete_procurement() {
    await client.procurements.delete('svc:procurement:acme:default:keep-two')
  },
  async create_deployment_estimate() {
    const automationEstimate = await client.deployments.createEstimate({
      kind: 'spot',
      name: 'crunch',
      pool: 'svc:pool:acme:default:training-extra',
      instance_template: 'svc:instance_template:acme:default:trainer',
      target_instance_count: 2,
      max_buy_price_dollars_per_node_hour: '20.00',
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
    })
    console.log(automationEstimate)
  },
  async create_deployment_update_estimate() {
    const automationEstimate = await client.deployments.createUpdateEstimate('svc:deployment:acme:default:crunch', { target_instance_count: 4 })
    console.log(automationEstimate)
  },
  async create_procurement_estimate() {
    const automationEstimate = await client.procurements.createEstimate({
      name: 'keep-two',
      pool: 'svc:pool:acme:default:training-extra',
      target: 2,
      min_sell_price_dollars_per_node_hour: '12.00',
      max_buy_price_dollars_per_node_hour: '20.00',
      managed_window_minutes: 180,
      sku: 'sku__-sUVUX3Yw-WuExZbtH4m',
    })
    console.log(automationEstimate)
  },
  async create_procurement_update_estimate() {
    const automationEstimate = await client.procurements.createUpdateEstimate('svc:procurement:acme:default:keep-two', { target: 4 })
    console.log(automationEstimate)
  },
  async create_account() {
    const createdAccount = await client.accounts.create({
      id: 'fathom',
      name: 'Fathom Labs',
      entity_type: 'business',
      trust_level: 'basic',
    })
    console.log(createdAccount)
  },
  async list_accounts() {
    for await (const administeredAccount of client.accounts.list()) {
      console.log(administeredAccount)
    }
  },
  async get_administered_account() {
    const administeredAccount = await client.accounts.get('fathom')
    console.log(administeredAccount)
  },
  async update_account() {
    const administeredAccount = await client.accounts.update('fathom', { name: 'Fathom' })
    console.log(administeredAccount)
  },
  async freeze_account() {
    const administeredAccount = await client.accounts.freeze('fathom')
    console.log(administeredAccount)
  },
  async unfreeze_account() {
    const administeredAccount = await client.accounts.unfreeze('fathom')
    console.log(administeredAccount)
  },
  async set_trust_level() {
    const administeredAccount = await client.accounts.setTrustLevel('fathom', { trust_level: 'trusted' })
    console.log(administeredAccount)
  },
  async list_account_limits() {
    for await (const limit of client.accountLimits.list('acme')) {
      console.log(limit)
    }
  },
  async put_account_limit() {
    const limit = await client.accountLimits.put({ account: 'acme', name: 'instances' }, { value: 500 })
    console.log(limit)
  },
  async delete_account_limit() {
    await client.accountLimits.delete({ account: 'acme', name: 'instances' })
  },
  async create_account_user() {
    const user = await client.accounts.createUser('fathom', {
      email: 'joan@fathom.example',
      name: 'joan',
      first_name: 'Joan',
      last_name: 'Clarke',
    })
    console.log(user)
  },
  async create_account_sign_in_link() {
    const signInLink = await client.accounts.createSignInLink('acme', { user: 'usr_Qw3mVtYd1ZcN0pLhXe8kR' })
    console.log(signInLink)
  },
  async list_revenue() {
    for await (const revenue of client.revenue.list({ from: '2026-11' })) {
      console.log(revenue)
    }
  },
  async export_ledger() {
    const text = await client.ledger.export({ from: 1795392000, to: 1795478400 })
    console.log(text)
  },
  async list_platform_usage() {
    for await (const platformUsage of client.platformUsage.list({ from: 1795305600, to: 1795478400, account: 'acme' })) {
      console.log(platformUsage)
    }
  },
  async list_platform_orders() {
    for await (const platformOrder of client.platformOrders.list({ account: 'acme' })) {
      console.log(platformOrder)
    }
  },
  async list_platform_skus() {
    for await (const administeredSku of client.platformSkus.list()) {
      console.log(administeredSku)
    }
  },
  async create_sku() {
    const administeredSku = await client.skus.create({
      alias: 'b200-oregon',
      region: 'us-west',
      availability_zone: 'us-west-1a',
      accelerator: 'b200',
      num_accelerators: 8,
      num_vcpus: 224,
    })
    console.log(administeredSku)
  },
  async list_platform_instances() {
    for await (const platformInstance of client.platformInstances.list({ account: 'acme' })) {
      console.log(platformInstance)
    }
  },
  async create_agent_bundle() {
    const agentBundle = await client.agentBundles.create({
      manifest: '{"object":"agent_bundle_manifest","commit":"1a2b3c4d5e6f","architecture":"any","protocol":1,"oldest_server_protocol":1,"sha256":"056badb4d8ee3ccf1e3358ae0a1407efbb8d6131c18322af7c32baff7ed5b5f6","size_bytes":16,"version":"1.4.0"}',
      signature: '-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgrwaj4ykXFOTzVsGcmxXNGVHsbm\nZiqne+B1R/KJODNB0AAAAMYm91cnNlLWFnZW50AAAAAAAAAAZzaGE1MTIAAABTAAAAC3Nz\naC1lZDI1NTE5AAAAQDa9otSL1gBlGr9cbHSsqqFhcXhVnY4suSj/RfKsUto9eIiHDubcf5\nLnE6YbgqYVn3BGuSCcJDWW70ofViWOxgg=\n-----END SSH SIGNATURE-----\n',
      content: 'YXJjaGl2ZSBvZiAxLjQuMA==',
    })
    console.log(agentBundle)
  },
  async list_agent_bundles() {
    for await (const agentBundle of client.agentBundles.list()) {
      console.log(agentBundle)
    }
  },
  async get_agent_bundle() {
    const agentBundle = await client.agentBundles.get('abdl_L6kifFCzSYCPqlf2GVsKW')
    console.log(agentBundle)
  },
  async delete_agent_bundle() {
    await client.agentBundles.delete('abdl_L6kifFCzSYCPqlf2GVsKW')
  },
  async create_agent_rollout() {
    const agentRollout = await client.agentRollouts.create({
      agent_version: '1.4.0',
      groups: ['canary=1%', 'early=10%'],
    })
    console.log(agentRollout)
  },
  async list_agent_rollouts() {
    for await (const agentRollout of client.agentRollouts.list({ state: 'running' })) {
      console.log(agentRollout)
    }
  },
  async get_agent_rollout() {
    const agentRollout = await client.agentRollouts.get('arol_27vWK1iQ12_5_kcd2GHtj')
    console.log(agentRollout)
  },
  async halt_agent_rollout() {
    const agentRollout = await client.agentRollouts.halt('arol_27vWK1iQ12_5_kcd2GHtj')
    console.log(agentRollout)
  },
  async resume_agent_rollout() {
    const agentRollout = await client.agentRollouts.resume('arol_27vWK1iQ12_5_kcd2GHtj')
    console.log(agentRollout)
  },
  async cancel_agent_rollout() {
    const agentRollout = await client.agentRollouts.cancel('arol_PomFGOBNrSK3InauZ3-qQ')
    console.log(agentRollout)
  },
  async roll_back_agent_rollout() {
    const agentRollout = await client.agentRollouts.rollBack('arol_27vWK1iQ12_5_kcd2GHtj')
    console.log(agentRollout)
  },
  async pin_host_agent() {
    const host = await client.hosts.pinAgent('host_AHd82_iA6TOR1-3CgWxwP')
    console.log(host)
  },
  async unpin_host_agent() {
    const host = await client.hosts.unpinAgent('host_AHd82_iA6TOR1-3CgWxwP')
    console.log(host)
  },
  async update_sku() {
    const administeredSku = await client.skus.update('sku_UMJJa6hubInE4wz024LPN', { fee_bps: 150 })
    console.log(administeredSku)
  },
  async retire_sku() {
    await client.skus.retire('sku_UMJJa6hubInE4wz024LPN')
  },
  async restore_sku() {
    const administeredSku = await client.skus.restore('sku_UMJJa6hubInE4wz024LPN')
    console.log(administeredSku)
  },
  async put_sku_property_value() {
    const skuPropertyValue = await client.skuProperties.putValue({ property: 'region', name: 'us-east' }, { display_name: 'US East' })
    console.log(skuPropertyValue)
  },
  async list_sku_overrides() {
    for await (const skuOverride of client.skuOverrides.list('acme')) {
      console.log(skuOverride)
    }
  },
  async put_sku_override() {
    const skuOverride = await client.skuOverrides.put({ account: 'acme', sku: 'sku__-sUVUX3Yw-WuExZbtH4m' }, { num_vcpus: 176 })
    console.log(skuOverride)
  },
  async delete_sku_override() {
    await client.skuOverrides.delete({ account: 'acme', sku: 'sku__-sUVUX3Yw-WuExZbtH4m' })
  },
  async publish_public_image() {
    const image = await client.images.publishPublic('image_T5f6qz3wn-s5t5rYA_3iK')
    console.log(image)
  },
  async revoke_public_image() {
    const image = await client.images.revokePublic('image_T5f6qz3wn-s5t5rYA_3iK')
    console.log(image)
  },
  async reinstate_public_image() {
    const image = await client.images.reinstatePublic('image_T5f6qz3wn-s5t5rYA_3iK')
    console.log(image)
  },
  async deprecate_public_image() {
    const image = await client.images.deprecatePublic('image_T5f6qz3wn-s5t5rYA_3iK', { message: 'Use rocky-11.' })
    console.log(image)
  },
  async get_clock() {
    const sandboxClock = await client.clock.get()
    console.log(sandboxClock)
  },
  async freeze_clock() {
    const sandboxClock = await client.clock.freeze()
    console.log(sandboxClock)
  },
  async resume_clock() {
    const sandboxClock = await client.clock.resume()
    console.log(sandboxClock)
  },
  async advance_clock() {
    const advancedClock = await client.clock.advance({ seconds: 600 })
    console.log(advancedClock)
  },
  async set_clock_rate() {
    const sandboxClock = await client.clock.setRate({ rate: 60 })
    console.log(sandboxClock)
  },
  async settle() {
    const settlement = await client.sandbox.settle({ timeout_seconds: 5 })
    console.log(settlement)
  },
  async list_scenarios() {
    for await (const scenario of client.scenarios.list()) {
      console.log(scenario)
    }
  },
  async load_scenario() {
    const loadedScenario = await client.scenarios.load('preemption', { seed: 7 })
    console.log(loadedScenario)
  },
  async reset_sandbox() {
    const loadedScenario = await client.sandbox.reset({ scenario: 'empty' })
    console.log(loadedScenario)
  },
  async create_market_maker() {
    const marketMaker = await client.marketMakers.create({
      sku: 'sku_UMJJa6hubInE4wz024LPN',
      base_price_dollars_per_node_hour: '18.00',
      node_count: 4,
    })
    console.log(marketMaker)
  },
  async list_market_makers() {
    for await (const marketMaker of client.marketMakers.list()) {
      console.log(marketMaker)
    }
  },
  async update_market_maker() {
    const marketMaker = await client.marketMakers.update('sku__-sUVUX3Yw-WuExZbtH4m', { base_price_dollars_per_node_hour: '18.00' })
    console.log(marketMaker)
  },
  async create_simulated_hosts() {
    const hostList = await client.hosts.createSimulated({ sku: 'sku__-sUVUX3Yw-WuExZbtH4m', count: 2, slots: 2 })
    console.log(hostList)
  },
  async create_ready_image() {
    const image = await client.images.createReady({ name: 'rocky-10' })
    console.log(image)
  },
  async create_fault() {
    const fault = await client.faults.create({ kind: 'http_error', status: 503, times: 3 })
    console.log(fault)
  },
  async list_faults() {
    for await (const fault of client.faults.list()) {
      console.log(fault)
    }
  },
  async delete_fault() {
    await client.faults.delete('flt_rcdyONCCYPvjLmJfEpdJX')
  },
  async get_health() {
    const health = await client.health.get()
    console.log(health)
  },
  async get_readiness() {
    const readiness = await client.readiness.get()
    console.log(readiness)
  },
  async get_version() {
    const version = await client.version.get()
    console.log(version)
  },
  async get_signing_keys() {
    const jsonWebKeySet = await client.signingKeys.get()
    console.log(jsonWebKeySet)
  },
  async get_openapi() {
    const answer = await client.openapi.get()
    console.log(answer)
  },
  async get_docs() {
    const text = await client.docs.get()
    console.log(text)
  },
  async get_metrics() {
    const text = await client.metrics.get()
    console.log(text)
  },
}
