// What the rules of this version write; an older engine does not take a shard of a newer one.

export const presentEngineVersion = 1
