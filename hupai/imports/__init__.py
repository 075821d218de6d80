"""Games played elsewhere: logs of other programs in one plain form, and played again in the ledger."""
