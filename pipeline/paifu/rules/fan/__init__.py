"""What the games other than riichi share: fan, payments, kongs and dealt hands."""
