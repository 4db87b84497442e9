/** What every Temporal server that Callgate runs is told: the embedded one here, and the one of docker-compose. */

/** Fairness keys with a rate of their own came with this server. */
export const minimumServer = '1.32.0'

export const dynamicConfig: Readonly<Record<string, boolean | number>> = {
  // Pacing per account: fairness keys, which need one partition so that the rate is counted in one place.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The limiter forgets the least used accounts beyond this many, and with them their pace.
  'matching.fairnessKeyRateLimitCacheSize': 100_000,
  // 20 a second by default: each hand-over to a worker would wait up to 50 ms.
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  // By default one buffered query a workflow; two people may look at the same call.
  'history.maxBufferedQueryCount': 10,
  // Calls that wait are long polls and queries; 1,200 at once would be the end of it.
  'frontend.namespaceCount': 50_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.rps': 40_000,
  'history.rps': 40_000,
  'matching.rps': 40_000,
  'frontend.persistenceMaxQPS': 50_000,
  'history.persistenceMaxQPS': 50_000,
  'matching.persistenceMaxQPS': 50_000,
}

/** What the list of runs in the Temporal UI can show and filter by. All of type Keyword. */
export const searchAttributes = ['CallgateApp', 'CallgateEndpoint', 'CallgateOwner', 'CallgateWaitingFor'] as const

/** How long a closed run stays readable. */
export const retentionMs = 30 * 24 * 60 * 60 * 1000
