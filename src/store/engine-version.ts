// The version of the rules. An older engine refuses a shard that a newer one has written.

export const presentEngineVersion = 1
